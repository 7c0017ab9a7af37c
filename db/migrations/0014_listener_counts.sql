-- Estimates the listeners behind codes, of which each of 512 registers has its largest. Its standard error is 4.6%.
CREATE FUNCTION estimate_listeners(p_codes smallint[]) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  registers CONSTANT float8 := 512;
  empty float8;
  estimate float8;
BEGIN
  SELECT registers - count(*), registers ^ 2 / (registers - count(*) + coalesce(sum(2::float8 ^ (-(c % 32))), 0))
  INTO empty, estimate FROM unnest(p_codes) c;
  estimate := 0.7213 / (1 + 1.079 / registers) * estimate;
  RETURN round(CASE WHEN estimate <= 2.5 * registers AND empty > 0 THEN registers * ln(registers / empty) ELSE estimate END);
END $$;
--> statement-breakpoint
ALTER TABLE "track_breakdowns" ADD COLUMN "listener_count" integer GENERATED ALWAYS AS (case when dimension = 'all' then estimate_listeners(listeners) end) STORED;--> statement-breakpoint
ALTER TABLE "user_breakdowns" ADD COLUMN "listener_count" integer GENERATED ALWAYS AS (case when dimension = 'all' then estimate_listeners(listeners) end) STORED;
