-- Limits password attempts: five in 15 minutes per account and address, twenty an hour per account, a hundred an hour
-- per address. A known browser has five in 15 minutes of its own. Guesses elsewhere cannot lock its owner out.
CREATE OR REPLACE FUNCTION take_password_attempt(
  p_who text, p_address text, p_browser text, OUT wait integer, OUT taken bigint[]
) LANGUAGE sql AS $$
  SELECT * FROM take_attempt(
    array_remove(ARRAY['password ' || p_who || ' ' || p_address, 'password ' || p_who, 'password from ' || p_address,
      'password ' || p_who || ' browser ' || p_browser], NULL),
    CASE WHEN p_browser IS NULL THEN ARRAY[5, 20, 100] ELSE ARRAY[1000000, 1000000, 1000000, 5] END,
    ARRAY[interval '15 minutes', interval '1 hour', interval '1 hour', interval '15 minutes'],
    CASE WHEN p_browser IS NULL THEN 'password ' || p_who END)
$$;
