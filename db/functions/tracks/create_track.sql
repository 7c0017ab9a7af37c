-- Creates one track per upload, with its job; repeated calls return the first. The row lock orders parallel requests. A missing
-- permalink becomes `p_permalink`, numbered if taken.
CREATE OR REPLACE FUNCTION create_track(
  p_session bigint, p_client text, p_user bigint, p_upload bigint, p_track jsonb, p_permalink text,
  p_secret_hash bytea, p_secret_sealed bytea, p_credit_budget jsonb DEFAULT NULL
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  source uploads;
  made tracks;
  wanted tracks := jsonb_populate_record(NULL::tracks, p_track);
  credited jsonb;
  fault text;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO source FROM uploads WHERE id = p_upload AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown_upload');
  END IF;
  IF source.status = 'used' THEN
    SELECT * INTO made FROM tracks WHERE id = source.track_id;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'unknown_upload');
    END IF;
    RETURN json_build_object('outcome', 'exists', 'track', track_row(made, p_user, 'playable'));
  END IF;
  -- An upload that ended while this statement waited for it has a later end than `now()`.
  IF source.status <> 'ready' OR source.expires_at <= clock_timestamp() THEN
    RETURN json_build_object('outcome', 'not_ready',
      'status', CASE WHEN source.status = 'ready' OR source.status IN ('open', 'completing') AND source.expires_at <= now()
        THEN 'expired' ELSE source.status END);
  END IF;
  -- Orders a user's requests that choose permalinks, so that each sees earlier choices.
  PERFORM pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(p_user));
  fault := fields_fault(wanted.label_id, wanted.release_year, wanted.release_month, wanted.release_day,
    free_permalink('track', p_user, wanted.permalink, NULL) <> wanted.permalink);
  IF fault IS NOT NULL THEN
    RETURN json_build_object('outcome', fault);
  END IF;
  credited := named_artists(p_user, p_client, NULL, wanted.artists, p_credit_budget);
  IF credited->>'outcome' <> 'done' THEN
    RETURN credited;
  END IF;
  INSERT INTO tracks (user_id, app_id, title, permalink, artist, description, sanitizer_version, genre, tag_list, track_type,
    license, label_id, label_name, release, release_day, release_month, release_year, isrc, bpm, key_signature,
    purchase_url, purchase_title, video_url, artwork_version, artwork_colors, artists, sharing, publish_at, embeddable_by, streamable, downloadable, commentable,
    reveal_comments, reveal_stats, paywall, available_country_codes, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
  VALUES (p_user, source.app_id, wanted.title, coalesce(wanted.permalink, free_permalink('track', p_user, p_permalink, NULL)),
    nullif(wanted.artist, (SELECT username FROM users WHERE id = p_user)), wanted.description,
    wanted.sanitizer_version, wanted.genre, coalesce(wanted.tag_list, ''), wanted.track_type,
    coalesce(wanted.license, 'all-rights-reserved'), wanted.label_id, wanted.label_name, wanted.release,
    wanted.release_day, wanted.release_month, wanted.release_year, wanted.isrc, wanted.bpm, wanted.key_signature,
    wanted.purchase_url, wanted.purchase_title, wanted.video_url, wanted.artwork_version, wanted.artwork_colors,
    nullif(credited->'artists', 'null'),
    CASE WHEN wanted.publish_at IS NULL THEN coalesce(wanted.sharing, 'public') ELSE 'private' END, wanted.publish_at,
    coalesce(wanted.embeddable_by, 'all'), coalesce(wanted.streamable, true), coalesce(wanted.downloadable, false),
    coalesce(wanted.commentable, true), coalesce(wanted.reveal_comments, true), coalesce(wanted.reveal_stats, true),
    wanted.paywall, wanted.available_country_codes, p_secret_hash, p_secret_sealed,
    source.object_key, source.filename, source.size)
  RETURNING * INTO made;
  INSERT INTO encoding_jobs (track_id, dispatched_at, turn) VALUES (made.id, now(), job_turn(made));
  UPDATE uploads SET status = 'used', track_id = made.id WHERE id = source.id;
  DELETE FROM object_garbage WHERE prefix = source.object_key;
  RETURN json_build_object('outcome', 'created', 'track', track_row(made, p_user, 'playable'), 'spent', credited->'spent');
END $$;
