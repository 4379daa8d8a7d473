-- A quotation has few orders, and those that were not made have an index of their own: this one only made every order dearer.
drop index quotation_orders_of_status;
