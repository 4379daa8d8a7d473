-- A group is ignored or not; nothing ends that by itself.

update error_report_groups set state = 'open' where ignored_until is not null;
alter table error_report_groups drop column ignored_until;
