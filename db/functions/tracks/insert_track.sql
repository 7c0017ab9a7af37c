-- Inserts a track with its encoding job. A missing permalink becomes `p_permalink`, numbered if taken. The caller must
-- have called `lock_permalinks` and `track_fault` in this transaction.
CREATE OR REPLACE FUNCTION insert_track(
  p_track tracks, p_permalink text, p_secret_hash bytea, p_secret_sealed bytea, p_key text, p_filename text, p_size bigint
) RETURNS tracks LANGUAGE plpgsql AS $$
DECLARE
  made tracks;
  wanted text := p_permalink;
BEGIN
  IF p_track.permalink IS NULL THEN
    FOR n IN 1 .. 20 LOOP
      EXIT WHEN NOT EXISTS (SELECT FROM tracks WHERE user_id = p_track.user_id AND permalink = wanted);
      -- After a few collisions the time-ordered id makes it unique.
      wanted := p_permalink || '-' || CASE WHEN n < 10 THEN n ELSE next_id() END;
    END LOOP;
  END IF;
  INSERT INTO tracks (user_id, app_id, title, permalink, artist, description, sanitizer_version, genre, tag_list, track_type,
    license, label_id, label_name, release, release_day, release_month, release_year, isrc, bpm, key_signature,
    purchase_url, purchase_title, video_url, artwork_version, sharing, embeddable_by, streamable, downloadable, commentable,
    reveal_comments, reveal_stats, paywall, available_country_codes, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
  VALUES (p_track.user_id, p_track.app_id, p_track.title, coalesce(p_track.permalink, wanted),
    nullif(p_track.artist, (SELECT username FROM users WHERE id = p_track.user_id)), p_track.description,
    p_track.sanitizer_version, p_track.genre, coalesce(p_track.tag_list, ''), p_track.track_type,
    coalesce(p_track.license, 'all-rights-reserved'), p_track.label_id, p_track.label_name, p_track.release,
    p_track.release_day, p_track.release_month, p_track.release_year, p_track.isrc, p_track.bpm, p_track.key_signature,
    p_track.purchase_url, p_track.purchase_title, p_track.video_url, p_track.artwork_version, coalesce(p_track.sharing, 'public'),
    coalesce(p_track.embeddable_by, 'all'), coalesce(p_track.streamable, true), coalesce(p_track.downloadable, false),
    coalesce(p_track.commentable, true), coalesce(p_track.reveal_comments, true), coalesce(p_track.reveal_stats, true),
    p_track.paywall, p_track.available_country_codes, p_secret_hash, p_secret_sealed,
    p_key, p_filename, p_size)
  RETURNING * INTO made;
  INSERT INTO encoding_jobs (track_id, dispatched_at, turn) VALUES (made.id, now(), job_turn(made));
  RETURN made;
END $$;
