-- The list of users is filtered by when they were changed.

create index users_modified_at on users (modified_at, id);
