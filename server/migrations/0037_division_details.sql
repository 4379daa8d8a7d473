-- What the original's clients read of a division besides (contract, section 7).

-- Address, places, balance and extra_data as they are on the wire: an object as JSON. What is not in it is unset.
alter table divisions add column details text not null default '{}';
