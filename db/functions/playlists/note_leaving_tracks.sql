-- Notes for the statement's reply that private tracks leave a playlist, whose link opened them (see `note_restriction`). No
-- trigger does, because another order deletes and adds all entries.
CREATE OR REPLACE FUNCTION note_leaving_tracks(p_tracks bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tracks t WHERE t.id = ANY (p_tracks) AND t.sharing = 'private') THEN
    PERFORM set_config('soundpost.restricts', 'on', true);
  END IF;
END $$;
