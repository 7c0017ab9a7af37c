-- Keys of usernames lose the marks that new keys leave out: selectors that color an emoji, accents, and marks around letters.
-- A name of signs alone gets its signs for a key. A name whose new key is another's keeps its old one.
DO $$
DECLARE
  marks CONSTANT text := '[\u0300-\u036f\u0488\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ua670-\ua672\ufe00-\ufe0f\ufe20-\ufe2f]';
  signs text;
  named record;
BEGIN
  FOR named IN SELECT id, username, username_key, look_alike_key FROM users
    WHERE username_key ~ marks OR look_alike_key ~ marks ORDER BY id
  LOOP
    signs := lower(regexp_replace(normalize(named.username, NFKD), '\s|' || marks, '', 'g'));
    BEGIN
      UPDATE users SET
        username_key = coalesce(nullif(regexp_replace(named.username_key, marks, '', 'g'), ''), signs),
        look_alike_key = coalesce(nullif(regexp_replace(named.look_alike_key, marks, '', 'g'), ''), signs)
      WHERE id = named.id;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
END $$;
