-- Where logins came from and when they were last used, so that people recognize theirs and end the others.

alter table access_keys
  -- Of a login: where it came from, and the first 256 characters of what its client called itself. '' is not known.
  add column address text not null default '',
  add column user_agent text not null default '';

alter table token_families
  add column address text not null default '',
  add column user_agent text not null default '',
  -- When a request last came with an access token, to the minute, or the tokens were refreshed.
  add column last_used_at timestamptz;
