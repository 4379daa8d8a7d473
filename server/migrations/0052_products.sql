-- What people and programs know of a product besides its name and price.

-- Written as a generated column, which is none from then on: that fills it while the table is rewritten, once.
alter table products add column sku text not null generated always as (remote_id) stored;
alter table products alter column sku drop expression;
-- With a condition, which is always met, no key of the table: otherwise changing a sku would wait for whoever orders the product.
create unique index products_sku on products (sku) where sku is not null;
alter table products
  -- What products of one kind have in common, such as sizes of a shoe.
  add column base_code text not null default '',
  add column category text not null default '',
  add column image text not null default '',
  -- An object as JSON text.
  add column attributes text not null default '{}';
create index products_category on products (category, id);
create index products_name on products (name, id);

-- Letters that stand for each other in whatever case: Turkish ones have their own, which the rules of most databases do not know.
create function folded(text) returns text language sql immutable strict parallel safe as $$
  select lower(translate($1, 'İIıŞĞÜÖÇ', 'iiişğüöç'))
$$;

do $$ begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index products_words on products
      using gin (folded(name || ' ' || sku || ' ' || category) gin_trgm_ops) with (gin_pending_list_limit = 1024);
  end if;
end $$;

-- As it was when the product was added: packages are packed by it. null in items of before, which are packed by the remote id.
alter table quotation_items add column sku text;
