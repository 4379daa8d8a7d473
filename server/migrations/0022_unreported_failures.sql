-- What is taken from this table becomes error reports: it is called by that word.
alter table untold_ends rename to unreported_failures;
alter index untold_ends_pkey rename to unreported_failures_pkey;
alter index untold_ends_delivery rename to unreported_failures_delivery;
