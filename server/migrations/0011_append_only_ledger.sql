-- The stock ledger is append-only: balances are its sums, so an entry that could be changed would make them untrue.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

create trigger stock_entries_append_only before update or delete or truncate on stock_entries
for each statement execute function refuse_change();
