-- What people say of themselves, so that they are written to in their words and at their time.

alter table users
  -- '' where somebody has not said.
  add column locale text not null default '' check (locale in ('', 'en', 'tr')),
  -- A name of the IANA time zone database.
  add column time_zone text not null default '';
