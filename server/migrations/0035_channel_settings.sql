-- What the original's channel integrations read of a channel (contract, section 6).

-- conf: settings of the integration, an object as JSON.
alter table channels
  add column is_active boolean not null default true,
  add column conf text not null default '{}';
