-- A request is an export of its own, also when the same person asks for the same.

alter table exports drop column request_hash;
create index exports_of_user on exports (user_id);
