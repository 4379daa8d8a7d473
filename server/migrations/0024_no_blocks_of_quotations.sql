-- Pages of quotations are found without counting by blocks of ids, so nothing needs these statistics.

drop statistics quotations_blocks;
