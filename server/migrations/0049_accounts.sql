-- What people say of themselves, so that they are written to in their words and at their time, and how they get at their account.

alter table users
  -- '' where somebody has not said.
  add column locale text not null default '' check (locale in ('', 'en', 'tr')),
  -- A name of the IANA time zone database.
  add column time_zone text not null default '';

-- Links by which a password is set without the present one. They are deleted when one of them is used.
create table password_links (
  -- SHA-256 of 256 random bits, which stand in a message alone.
  token_hash text primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('reset', 'invite')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_links_user_id on password_links (user_id, created_at);
create index password_links_expires_at on password_links (expires_at);

-- Where somebody has logged in under which name: failures there are counted apart from those of strangers.
create table known_places (
  -- A keyed hash of name and network.
  place text primary key,
  last_at timestamptz not null
);
create index known_places_last_at on known_places (last_at);
