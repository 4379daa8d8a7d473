-- What a division asked for in a month is counted against its limit; and why a quotation was rejected or cancelled.

-- Whether there is any limit at all is asked with every new quotation.
create index divisions_limited on divisions (id) where monthly_limit is not null;
create index quotations_month on quotations (division_id, created_at);

-- Why it was rejected or cancelled, in the words of whoever did it; null: it was not, or nothing was said.
alter table quotations add column reason text;
alter table quotations add column reason_by bigint references users;
