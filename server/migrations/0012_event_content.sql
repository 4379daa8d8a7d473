-- Events that carry content of any media type, passed through as it was given, and events for one subscription alone.

alter table events
  -- Media type of content that is passed through: `body` is then its bytes in base64url, without padding. Null: `body` is the JSON that is sent.
  add column content_type text,
  -- The one subscription that it was sent to. Null: all that listen.
  add column addressee bigint;
