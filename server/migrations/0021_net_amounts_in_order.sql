-- Quotations by what they come to after discounts, in units of the currency: cents and yen compare. An index alone: another column would
-- write the whole table again. The digits of the currency are those of total_units.
create index quotations_net on quotations ((net_amount * 10::numeric ^ -scale(total_units)), id);
