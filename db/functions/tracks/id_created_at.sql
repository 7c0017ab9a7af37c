-- Returns when a row was made. Its id holds the milliseconds since 2024 above 12 bits.
CREATE OR REPLACE FUNCTION id_created_at(id bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(((id >> 12) + 1704067200000) / 1000.0)
$$;
