-- Changes columns by `p_changes`, which may hold the `title_permalink` of the new title, and appends `p_tracks`, or replaces the present tracks with `p_replaces`. The row's
-- lock orders parallel changes, so that none is lost.
CREATE OR REPLACE FUNCTION update_playlist(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_tracks bigint[], p_replaces boolean,
  p_expected timestamptz[], p_country text, p_budget jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored playlists;
  wanted playlists;
  fault text;
  present bigint[];
  hidden bigint[];
  moved boolean;
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF p_changes ?| '{permalink,title_permalink}' THEN
    PERFORM pg_advisory_xact_lock(hashtext('playlist_permalink'), hashint8(p_user));
  END IF;
  SELECT * INTO stored FROM playlists WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist(p_user, p_id);
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN jsonb_build_object('outcome', 'changed');
  END IF;
  -- Waits for deletions of tracks in the playlist, because putting a deleted hidden track back would fail the whole order.
  IF p_replaces THEN
    PERFORM FROM tracks t WHERE t.id IN (SELECT e.track_id FROM playlist_tracks e WHERE e.playlist_id = p_id)
    ORDER BY t.id FOR KEY SHARE;
  END IF;
  present := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  -- Keeps hidden tracks, because their owners may show them again.
  hidden := ARRAY(SELECT id FROM unnest(present) id WHERE p_replaces AND id <> ALL (p_tracks)
    AND id NOT IN (SELECT (e.t).id FROM playlist_entries(stored, p_user, NULL, NULL) e));
  wanted := jsonb_populate_record(stored, p_changes);
  -- A time keeps it private until then, whatever sharing came with it. One that is unchanged may have passed, so that clients
  -- can save what they read.
  IF p_changes->>'publish_at' IS NOT NULL THEN
    IF stored.sharing = 'public' AND p_changes->>'sharing' IS DISTINCT FROM 'private' THEN
      RETURN jsonb_build_object('outcome', 'is_public');
    ELSIF wanted.publish_at IS DISTINCT FROM stored.publish_at AND wanted.publish_at <= now() THEN
      RETURN jsonb_build_object('outcome', 'time_passed');
    END IF;
    wanted.sharing := 'private';
  ELSIF wanted.sharing = 'public' THEN
    wanted.publish_at := NULL;
  END IF;
  -- While nothing was published and the owner chose none, the permalink follows the title.
  IF p_changes ? 'title_permalink' AND wanted.title <> stored.title AND wanted.permalink = stored.permalink
      AND stored.sharing = 'private' AND NOT stored.was_public AND NOT stored.permalink_chosen THEN
    wanted.permalink := free_permalink('playlist', p_user, p_changes->>'title_permalink', p_id);
  END IF;
  IF stored.taken_down_at IS NOT NULL THEN
    IF wanted.sharing <> 'private' OR wanted.publish_at IS NOT NULL AND wanted.publish_at IS DISTINCT FROM stored.publish_at THEN
      RETURN jsonb_build_object('outcome', 'taken_down');
    ELSIF p_changes ? 'sharing' THEN
      -- The owner wants the set private, so it stays private when it is restored.
      UPDATE removals SET sharing = 'private' WHERE playlist_id = p_id AND kind = 'playlist' AND restored_at IS NULL;
    END IF;
  END IF;
  IF p_changes ? 'artwork_version' AND NOT p_changes ? 'artwork_colors' THEN
    -- A Worker of the release before knows no colours.
    wanted.artwork_colors := NULL;
  END IF;
  -- A suspended label stays until it is changed, so that clients can save what they read.
  fault := coalesce(fields_fault(nullif(wanted.label_id, stored.label_id), wanted.release_year, wanted.release_month, wanted.release_day,
      free_permalink('playlist', p_user, wanted.permalink, p_id) <> wanted.permalink),
    playlist_tracks_fault(p_user, p_tracks, CASE WHEN p_replaces THEN cardinality(hidden)
    ELSE (SELECT count(*)::integer FROM unnest(present) id WHERE id <> ALL (p_tracks)) END));
  IF fault IS NOT NULL THEN
    RETURN jsonb_build_object('outcome', fault);
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN jsonb_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  IF p_replaces THEN
    PERFORM replace_playlist_tracks(p_id, p_tracks, hidden);
  ELSE
    PERFORM add_playlist_tracks(p_id, p_tracks);
  END IF;
  moved := present <> ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  IF wanted IS DISTINCT FROM stored OR moved THEN
    UPDATE playlists SET updated_at = now(), title = wanted.title,
      permalink = wanted.permalink, permalink_chosen = wanted.permalink_chosen, description = wanted.description, sanitizer_version = wanted.sanitizer_version,
      genre = wanted.genre, tag_list = wanted.tag_list, playlist_type = wanted.playlist_type, license = wanted.license,
      label_id = wanted.label_id, label_name = wanted.label_name, release = wanted.release,
      release_day = wanted.release_day, release_month = wanted.release_month, release_year = wanted.release_year,
      ean = wanted.ean, purchase_url = wanted.purchase_url, purchase_title = wanted.purchase_title,
      artwork_version = wanted.artwork_version, artwork_colors = wanted.artwork_colors, sharing = wanted.sharing, publish_at = wanted.publish_at,
      embeddable_by = wanted.embeddable_by
    WHERE id = p_id;
  END IF;
  RETURN playlist_reply(p_user, p_country, p_id) || jsonb_build_object('outcome', 'done', 'spent', spent);
END $$;
