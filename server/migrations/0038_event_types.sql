-- Events of one's own (contract, section 8).

-- A change of a type gives it a version that no type had before.
create sequence event_type_versions;

create table event_types (
  name text primary key,
  description text not null,
  -- JSON Schema 2020-12 of the data; json keeps the order of fields.
  schema json,
  example json,
  is_active boolean not null,
  version bigint not null default nextval('event_type_versions'),
  created_at timestamptz not null,
  modified_at timestamptz not null
);
