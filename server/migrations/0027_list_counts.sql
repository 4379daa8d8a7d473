-- How many rows lists have, in all and by one filter, because counting a million takes too long. Triggers keep them, so that
-- they are right whoever changes the rows.

create table list_counts (
  -- The table, the column that is filtered by ('' for none), and its value as text.
  list text not null,
  filter text not null,
  value text not null,
  -- Connections add to rows of their own, so none waits for another; 0 has the sums of those that ended.
  backend integer not null,
  count bigint not null,
  primary key (list, filter, value, backend)
) with (fillfactor = 50);

create procedure keep_list_counts(list text, columns text[]) language plpgsql as $keep$
declare
  -- Statements that say the filters and values of the rows of a relation.
  counted text := format($$select '' as filter, '' as value from %%1$s$$)
    || (select string_agg(format($$ union all select %L, %I::text from %%1$s$$, name, name), '') from unnest(columns) as name);
  add_up text := $$insert into list_counts as kept select %L, filter, value, %s, sum(change) from (%s) as changed
    where value is not null group by filter, value having sum(change) <> 0
    on conflict (list, filter, value, backend) do update set count = kept.count + excluded.count$$;
  more text := format('select filter, value, 1 as change from (%s) as more', format(counted, 'new_rows'));
  less text := format('select filter, value, -1 as change from (%s) as less', format(counted, 'old_rows'));
begin
  execute format('create function count_%s() returns trigger language plpgsql as %L', list, format(
    'begin if tg_op = ''INSERT'' then %s; elsif tg_op = ''DELETE'' then %s; else %s; end if; return null; end',
    format(add_up, list, 'pg_backend_pid()', more), format(add_up, list, 'pg_backend_pid()', less),
    format(add_up, list, 'pg_backend_pid()', more || ' union all ' || less)));
  execute format('create trigger count_inserted after insert on %I referencing new table as new_rows
    for each statement execute function count_%s()', list, list);
  execute format('create trigger count_updated after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function count_%s()', list, list);
  execute format('create trigger count_deleted after delete on %I referencing old table as old_rows
    for each statement execute function count_%s()', list, list);
  execute format(add_up, list, '0', format('select filter, value, 1 as change from (%s) as present', format(counted, list)));
end
$keep$;

call keep_list_counts('packages', array['status', 'location_id']);
call keep_list_counts('shipments', array['status', 'carrier']);
call keep_list_counts('transfers', array['status', 'from_location_id', 'to_location_id']);
call keep_list_counts('users', array['is_staff', 'is_active']);
call keep_list_counts('stock_balances', array['location_id']);
-- Movements change amounts, never the location.
drop trigger count_updated on stock_balances;
