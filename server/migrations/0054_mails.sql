-- Every message to a person, until 30 days after it was made; longer while it waits to be sent.

create table mails (
  id bigint generated always as identity primary key,
  to_address text not null,
  -- What it is about, for whoever looks for it.
  purpose text not null,
  locale text not null,
  subject text not null,
  -- Null where it is sealed, or was.
  text text,
  html text,
  -- Text and HTML of what lets its reader in, encrypted; null once it was sent.
  sealed text,
  status text not null check (status in ('kept', 'waiting', 'sent', 'failed')),
  -- How often it was handed over to be sent: what the job of an earlier time finds out does not count.
  round int not null default 1,
  attempts int not null default 0,
  -- Why the last attempt failed.
  error text,
  -- The same on every attempt, by which mail programs know one that arrived before.
  message_id uuid not null default gen_random_uuid(),
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_status on mails (status, id);
create index mails_created_at on mails (created_at, id);
create index mails_purpose on mails (purpose, id);

do $$ begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index mails_part_of_address on mails
      using gin (lower(to_address) gin_trgm_ops) with (gin_pending_list_limit = 1024);
  end if;
end $$;
