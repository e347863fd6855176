-- For a superuser, if the role of DATABASE_URL may not create extensions: searches by part of a text use them.
create extension pg_trgm;
create extension btree_gin;
create index documents_texts on documents using gin (company_id, (id >> 14), name_key gin_trgm_ops, number_key gin_trgm_ops);
create index custom_values_text on custom_values using gin (company_id, (document_id >> 14), value_key gin_trgm_ops);
