-- Who may call, and with what: people, the names they log in with, their keys and sessions, and
-- the failed logins of the last minutes. No column holds anything that could be used to log in.

create table users (
  id bigint generated always as identity primary key,
  email text not null,
  -- null: logs in by e-mail only, and is shown under it.
  username text,
  first_name text not null default '',
  last_name text not null default '',
  is_staff boolean not null default false,
  is_superuser boolean not null default false,
  is_active boolean not null default true,
  division bigint,
  password_hash text not null,
  -- Goes up when every credential is revoked, so that one being made at that moment is not left over.
  credentials_version integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create index users_created_at on users (created_at);
create index users_active_superusers on users (id) where is_superuser and is_active;

-- E-mails and user names in one table, folded, because either can be typed at login: one person's
-- user name can never be another's e-mail.
create table login_names (
  name text primary key,
  user_id bigint not null references users on delete cascade
);
create index login_names_user_id on login_names (user_id);

-- Keys sent as they are: those of a login, and API keys.
create table access_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('login', 'api')),
  name text not null default '',
  -- The first characters of the key, to recognize it by.
  prefix text not null,
  -- SHA-256. The key has 256 random bits, so a slow hash would add nothing.
  key_hash text not null unique,
  -- null: all rights of the user.
  scopes jsonb,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
create index access_keys_user_id on access_keys (user_id, kind, id);
create index access_keys_expires_at on access_keys (expires_at);

-- One login for access tokens: every refresh token that descends from it. Gone means revoked.
create table token_families (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index token_families_user_id on token_families (user_id);
create index token_families_expires_at on token_families (expires_at);

create table refresh_tokens (
  token_hash text primary key,
  family_id bigint not null references token_families on delete cascade,
  created_at timestamptz not null,
  -- Kept after use: a used token that comes back was stolen, from us or from the caller.
  used_at timestamptz
);
create index refresh_tokens_family_id on refresh_tokens (family_id);

-- Tokens of the outside identity provider that were logged out before their time.
create table refused_tokens (
  token_hash text primary key,
  expires_at timestamptz not null
);
create index refused_tokens_expires_at on refused_tokens (expires_at);

-- Failed logins, and those being checked. A bucket is a keyed hash: people type passwords into the
-- name field, so what was typed is not stored.
create table login_failures (
  id bigint generated always as identity primary key,
  bucket text not null,
  failed_at timestamptz not null
);
create index login_failures_bucket on login_failures (bucket, failed_at);
create index login_failures_failed_at on login_failures (failed_at);
