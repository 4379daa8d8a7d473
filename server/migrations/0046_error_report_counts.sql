-- Triggers keep the buckets of error reports and how many reports each has, so that both are right whoever changes reports.
-- All changes of reports take turns (lockReports), so none waits for another here.

-- Null is found by an index only as a value that no kind of object and no channel has.
create index error_report_buckets_alike on error_report_buckets
  (coalesce(channel_id, 0), action_content_type, coalesce(target_content_type, 0), targets_channel, is_ok);

create function set_error_report_bucket() returns trigger language plpgsql as $$
declare
  of_channel boolean := coalesce(new.target_object_id = new.channel_id::text, false);
begin
  select bucket.id into new.bucket_id from error_report_buckets bucket
  where coalesce(bucket.channel_id, 0) = coalesce(new.channel_id, 0)
    and bucket.action_content_type = new.action_content_type
    and coalesce(bucket.target_content_type, 0) = coalesce(new.target_content_type, 0)
    and bucket.targets_channel = of_channel and bucket.is_ok = new.is_ok;
  if not found then
    insert into error_report_buckets (channel_id, action_content_type, target_content_type, targets_channel, is_ok)
    values (new.channel_id, new.action_content_type, new.target_content_type, of_channel, new.is_ok)
    returning id into new.bucket_id;
  end if;
  return new;
end
$$;
create trigger set_bucket
  before insert or update of channel_id, action_content_type, target_content_type, target_object_id, is_ok on error_reports
  for each row execute function set_error_report_bucket();

do $keep$
declare
  more text := 'select group_id, created_at, bucket_id, 1 as change from new_rows';
  less text := 'select group_id, created_at, bucket_id, -1 as change from old_rows';
  -- No insert that becomes an update at a conflict: what is less than nothing is refused before.
  add_up text := $$
    with given as (
      select counted.group_id, counted.day, report.bucket_id, sum(report.change) as change
      from (%s) as report
      cross join lateral (values
        (0, '-infinity'::date), (0, (report.created_at at time zone 'UTC')::date), (report.group_id, '-infinity')
      ) as counted(group_id, day)
      where counted.group_id is not null
      group by counted.group_id, counted.day, report.bucket_id having sum(report.change) <> 0
    ),
    changed as (
      update error_report_counts counted set count = counted.count + given.change from given
      where (counted.group_id, counted.day, counted.bucket_id) = (given.group_id, given.day, given.bucket_id)
      returning counted.group_id, counted.day, counted.bucket_id
    )
    insert into error_report_counts (group_id, day, bucket_id, count)
    select group_id, day, bucket_id, change from given
    where (group_id, day, bucket_id) not in (select group_id, day, bucket_id from changed);$$;
  -- Otherwise there would be one for each day for ever. Those of buckets as a whole stay, as buckets do.
  remove_empty text := $$
    delete from error_report_counts where count = 0 and (
      (group_id = 0 and day in (select (created_at at time zone 'UTC')::date from old_rows))
      or group_id in (select group_id from old_rows));$$;
begin
  execute format('create function count_error_reports() returns trigger language plpgsql as %L', format(
    'begin if tg_op = ''INSERT'' then %s elsif tg_op = ''DELETE'' then %s else %s end if; return null; end',
    format(add_up, more), format(add_up, less) || remove_empty, format(add_up, more || ' union all ' || less)));
end
$keep$;
create trigger count_inserted after insert on error_reports referencing new table as new_rows
  for each statement execute function count_error_reports();
create trigger count_updated after update on error_reports referencing old table as old_rows new table as new_rows
  for each statement execute function count_error_reports();
create trigger count_deleted after delete on error_reports referencing old table as old_rows
  for each statement execute function count_error_reports();
