-- How often each group of error reports happened on each day, so that a list shows it without counting reports.

create table error_report_group_days (
  group_id bigint not null references error_report_groups on delete cascade,
  -- In UTC.
  day date not null,
  -- Failures, as in error_report_groups.count.
  count bigint not null,
  primary key (group_id, day)
) with (fillfactor = 70);
-- What retention looks for.
create index error_report_group_days_day on error_report_group_days (day);

-- Failures that came before, as far as there are reports of them.
insert into error_report_group_days (group_id, day, count)
select group_id, (created_at at time zone 'UTC')::date, count(*) from error_reports
where group_id is not null and created_at >= now() - interval '91 days'
group by 1, 2;
