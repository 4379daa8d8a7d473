-- Lists by a part of a text find it by its trigrams, where PostgreSQL has the extension and lets this user create it; without it
-- they read every row.

do $$ begin
  if exists (select from pg_available_extensions where name = 'pg_trgm'
    and (installed_version is not null or has_database_privilege(current_database(), 'create'))) then
    create extension if not exists pg_trgm;
    create index quotations_part_of_name on quotations using gin (folded_name gin_trgm_ops) with (gin_pending_list_limit = 1024);
    create index users_part_of_email on users using gin (lower(email) gin_trgm_ops) with (gin_pending_list_limit = 1024);
  end if;
end $$;
