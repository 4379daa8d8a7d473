-- ERP codes are unique whatever the case (contract, section 7). Divisions that differ in case alone may be there already, and
-- what they are called elsewhere is not ours to change: whoever writes looks (under the lock of the tree), the index finds.

create index divisions_erp_code_in_lower_case on divisions (lower(erp_code));
