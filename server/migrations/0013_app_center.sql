-- Organizations, their members and projects, what is built and distributed, and who is told (document 1).
-- Ids are 24 hexadecimal digits that begin with the second they were made in.

create table organizations (
  id text primary key,
  name text not null,
  description text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table organization_members (
  organization_id text not null references organizations on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index organization_members_user_id on organization_members (user_id);

create table projects (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  slug text not null,
  description text not null default '',
  status text not null check (status in ('active', 'inactive', 'draft')),
  app_icon_url text,
  -- credential, additionalCredentials and storeCredentials: one encrypted JSON text.
  sealed text not null,
  app_statuses jsonb not null default '{}',
  last_activity_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, slug)
);
create index projects_of_organization on projects (organization_id, id);

-- The address, headers, events and secret are the subscription's. One that was removed stays for what was delivered to it.
create table project_webhooks (
  id text primary key,
  project_id text not null references projects on delete cascade,
  subscription_id bigint not null unique references subscriptions,
  name text not null,
  created_by bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz
);
create index project_webhooks_of_project on project_webhooks (project_id, id) where removed_at is null;
create index project_webhooks_with_removed on project_webhooks (project_id);

create table deployments (
  id text primary key,
  project_id text not null references projects on delete cascade,
  type text not null check (type in ('build', 'codePush')),
  platform text not null,
  environment text not null,
  env_version text,
  tag text,
  description text,
  status text not null check (status in ('created', 'succeeded', 'failed', 'canceled')),
  created_by bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
create index deployments_of_project on deployments (project_id, id);
-- The list: the newest first, of all or of one status.
create index deployments_by_time on deployments (project_id, created_at, id);
create index deployments_by_status on deployments (project_id, status, created_at, id);

create table distributions (
  id text primary key,
  project_id text not null references projects on delete cascade,
  deployment_id text not null references deployments on delete cascade,
  target text not null,
  platform text not null,
  environment text not null,
  env_version text,
  store_version text,
  tag text,
  publisher text,
  version_code bigint,
  status text not null check (status in ('created', 'succeeded', 'failed', 'canceled')),
  created_by bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
create index distributions_of_project on distributions (project_id, id);
create index distributions_by_time on distributions (project_id, created_at, id);
create index distributions_by_status on distributions (project_id, status, created_at, id);
create index distributions_of_deployment on distributions (deployment_id, created_at, id);
