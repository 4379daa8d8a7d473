-- Triggers keep the counts of quotations, so that they are right whoever changes quotations.

do $keep$
declare
  more text := 'select user_id, status, division_id, 1 as change from new_rows';
  less text := 'select user_id, status, division_id, -1 as change from old_rows';
  given text := $$select user_id, status, division_id, sum(change) as change from (%s) as changed
    group by user_id, status, division_id having sum(change) <> 0$$;
  -- Rows are locked in one order: missing ones are made with 0, then all are changed.
  add_up text := $$
    insert into quotation_counts as counted (user_id, status, division_id, count)
    select user_id, status, division_id, 0 from (%1$s) as given order by user_id, status, division_id
    on conflict (user_id, status, division_id) do update set count = counted.count;
    update quotation_counts as counted set count = counted.count + given.change from (%1$s) as given
    where (counted.user_id, counted.status, counted.division_id) = (given.user_id, given.status, given.division_id);$$;
begin
  execute format('create function count_quotations() returns trigger language plpgsql as %L', format(
    'begin if tg_op = ''INSERT'' then %s elsif tg_op = ''DELETE'' then %s else %s end if; return null; end',
    format(add_up, format(given, more)), format(add_up, format(given, less)),
    format(add_up, format(given, more || ' union all ' || less))));
end
$keep$;
create trigger count_inserted after insert on quotations referencing new table as new_rows
  for each statement execute function count_quotations();
create trigger count_updated after update on quotations referencing old table as old_rows new table as new_rows
  for each statement execute function count_quotations();
create trigger count_deleted after delete on quotations referencing old table as old_rows
  for each statement execute function count_quotations();
