-- Envelopes (contract, section 5), attempts at most of one subscription, and deliveries that only try a subscription out.

-- Hooks that exist go on getting what they got; whoever makes a new one gets the envelope of the original service.
alter table subscriptions
  add column envelope text not null default 'standard' check (envelope in ('standard', 'original')),
  add column max_attempts integer check (max_attempts between 1 and 100);

-- That of the subscription when the event happened, so that every attempt sends the same bytes.
alter table deliveries add column envelope text not null default 'standard';
alter table events add column is_test boolean not null default false;
