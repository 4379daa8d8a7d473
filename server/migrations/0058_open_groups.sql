-- Open groups are counted for the overview, however many have been resolved.
create index error_report_groups_open on error_report_groups (id) include (regressed_at) where state = 'open';
