-- Counts an attempt at an operator's second factor, or at setting it up. Five in 15 minutes and twenty a day: a code that
-- is guessed at this pace for a year is found with a chance of two in a hundred.
CREATE OR REPLACE FUNCTION second_factor_attempt(p_user bigint, OUT wait integer, OUT taken bigint[]) LANGUAGE sql AS $$
  SELECT * FROM take_attempt(ARRAY['second factor ' || p_user, 'second factor ' || p_user || ' of a day'], ARRAY[5, 20],
    ARRAY[interval '15 minutes', interval '1 day'])
$$;
