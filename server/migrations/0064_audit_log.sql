-- Who changed what of the installation itself: people, keys, settings, subscriptions, and work that was done again in bulk.

create table audit_log (
  id bigint generated always as identity primary key,
  -- Null: nobody who is known, as with a failed login.
  user_id bigint,
  -- Method and path of the operation.
  surface text not null,
  -- The operation, as the API description names it.
  action text not null,
  object_type text not null,
  object_id text,
  -- Objects as JSON text, their secrets masked.
  before text,
  after text,
  request_id text,
  created_at timestamptz not null
);
create index audit_log_created_at on audit_log (created_at, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_object on audit_log (object_type, object_id, id);
create index audit_log_user on audit_log (user_id, id);

-- What is a year old is deleted; nothing is changed.
create trigger audit_log_append_only before update or truncate on audit_log
for each statement execute function refuse_change();
