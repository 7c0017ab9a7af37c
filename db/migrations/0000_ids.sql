-- Time-ordered ids: milliseconds since 2024-01-01 UTC above 12 bits of sequence. Below 2^53, so exact in JSON, until 2093.
CREATE SEQUENCE id_sequence MINVALUE 0 MAXVALUE 4095 CYCLE;

CREATE FUNCTION next_id() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1704067200000) << 12 | nextval('id_sequence')
$$;

CREATE FUNCTION id_created_at(id bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(((id >> 12) + 1704067200000) / 1000.0)
$$;
