-- Creates a playlist. A missing permalink becomes `p_permalink`, numbered if taken.
CREATE OR REPLACE FUNCTION create_playlist(
  p_session bigint, p_client text, p_user bigint, p_playlist jsonb, p_permalink text, p_secret_hash bytea,
  p_secret_sealed bytea, p_tracks bigint[], p_country text, p_budget jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted playlists := jsonb_populate_record(NULL::playlists, p_playlist);
  fault text;
  made bigint;
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM pg_advisory_xact_lock(hashtext('playlist_permalink'), hashint8(p_user));
  wanted.user_id := p_user;
  fault := coalesce(fields_fault(wanted.label_id, wanted.release_year, wanted.release_month, wanted.release_day,
      free_permalink('playlist', p_user, wanted.permalink, NULL) <> wanted.permalink),
    playlist_tracks_fault(p_user, p_tracks, 0));
  IF fault IS NOT NULL THEN
    RETURN jsonb_build_object('outcome', fault);
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN jsonb_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  INSERT INTO playlists (user_id, title, permalink, description, sanitizer_version, genre, tag_list, playlist_type, license,
    label_id, label_name, release, release_day, release_month, release_year, ean, purchase_url, purchase_title,
    artwork_version, artwork_colors, sharing, publish_at, embeddable_by, secret_hash, secret_sealed)
  VALUES (p_user, wanted.title, coalesce(wanted.permalink, free_permalink('playlist', p_user, p_permalink, NULL)), wanted.description, wanted.sanitizer_version, wanted.genre,
    coalesce(wanted.tag_list, ''), wanted.playlist_type, coalesce(wanted.license, 'all-rights-reserved'), wanted.label_id,
    wanted.label_name, wanted.release, wanted.release_day, wanted.release_month, wanted.release_year, wanted.ean,
    wanted.purchase_url, wanted.purchase_title, wanted.artwork_version, wanted.artwork_colors,
    CASE WHEN wanted.publish_at IS NULL THEN coalesce(wanted.sharing, 'public') ELSE 'private' END, wanted.publish_at,
    coalesce(wanted.embeddable_by, 'all'), p_secret_hash, p_secret_sealed)
  RETURNING id INTO made;
  PERFORM add_playlist_tracks(made, p_tracks);
  RETURN playlist_reply(p_user, p_country, made) || jsonb_build_object('outcome', 'done', 'spent', spent);
END $$;
