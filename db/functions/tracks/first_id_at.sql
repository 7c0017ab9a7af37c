-- Returns the lowest id that `next_id` may assign at a moment. Ids hold the milliseconds since 2024 above 12 bits.
CREATE OR REPLACE FUNCTION first_id_at(p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ((extract(epoch FROM p_at) * 1000)::bigint - 1704067200000) << 12
$$;
