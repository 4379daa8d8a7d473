-- Attempts of a hook are listed by outcome and status. What arrives at once, which is most, is in neither index.

create index attempts_not_delivered on attempts (outcome, delivery_id, number) where outcome <> 'delivered';
create index attempts_not_delivered_by_status on attempts (response_status, delivery_id, number) where outcome <> 'delivered';
