-- Counters of error reports are buckets; a cell is one of a spreadsheet.

alter table error_report_cells rename to error_report_buckets;
alter table error_report_counts rename column cell_id to bucket_id;
alter table error_reports rename column cell_id to bucket_id;
alter index error_reports_cell rename to error_reports_bucket;
