-- Makes a track of a stored file: track, job, episode and place in the set at once, or nothing. Whoever has lost the lease, to
-- another attempt or by a cancellation, changes nothing. The track is dated by its first publication, so it is no news.
CREATE OR REPLACE FUNCTION accept_imported_episode(
  p_episode bigint, p_lease uuid, p_size bigint, p_filename text, p_type text, p_track jsonb, p_fields jsonb, p_texts jsonb,
  p_permalink text, p_secret_hash bytea, p_secret_sealed bytea
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  -- A part's size is an integer, and a file may have more bytes than that holds.
  largest_part CONSTANT integer := 1 << 30;
  most_tracks CONSTANT integer := 500;
  -- IDs of 2024 begin at zero, 4096 for a millisecond.
  ids_per_second CONSTANT bigint := 4096000;
  item podcast_import_episodes;
  moving podcast_imports;
  made tracks;
  dated bigint;
  refusal jsonb;
  is_down boolean;
BEGIN
  SELECT i.* INTO moving FROM podcast_imports i JOIN podcast_import_episodes e ON e.import_id = i.id
  WHERE e.id = p_episode AND i.state = 'running' FOR UPDATE OF i;
  SELECT * INTO item FROM podcast_import_episodes
  WHERE id = p_episode AND import_id = moving.id AND state = 'fetching' AND lease_token = p_lease FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '{"outcome": "lost"}';
  END IF;
  -- After its due time the sweep may be deleting the object.
  PERFORM FROM object_garbage WHERE prefix = item.object_key AND due_at > now() FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '{"outcome": "expired"}';
  END IF;
  SELECT taken_down_at IS NOT NULL INTO is_down FROM playlists WHERE id = moving.playlist_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '{"outcome": "no_set"}';
  ELSIF is_down THEN
    -- Operators removed the set meanwhile. The file waits in storage until they restore it.
    RETURN '{"outcome": "lost"}';
  ELSIF (SELECT count(*) FROM playlist_tracks WHERE playlist_id = moving.playlist_id) >= most_tracks THEN
    RETURN '{"outcome": "past_limit"}';
  ELSIF EXISTS (SELECT FROM episodes e JOIN tracks t ON t.id = e.track_id WHERE t.user_id = moving.user_id AND e.guid = item.guid)
    OR EXISTS (SELECT FROM podcast_imports i JOIN podcast_import_episodes e ON e.import_id = i.id
      JOIN tracks t ON t.id = e.track_id WHERE i.user_id = moving.user_id AND e.guid = item.guid) THEN
    -- Another import of the feed has brought it since this one failed.
    RETURN '{"outcome": "already_here"}';
  END IF;
  refusal := quota_refusal(moving.user_id, p_size);
  IF refusal IS NOT NULL THEN
    RETURN jsonb_build_object('outcome', 'over_quota');
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(moving.user_id));
  -- Feeds date to the second. The position tells episodes of one second apart, because lists go on below the last one's.
  dated := (extract(epoch FROM least(item.published_at, now()))::bigint - 1704067200) * ids_per_second
    + (p_episode % 1000) * 4096 + item.position % 4096;
  INSERT INTO tracks (user_id, app_id, published_id, title, permalink, description, sanitizer_version, track_type,
    artwork_version, artwork_colors, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
  VALUES (moving.user_id, moving.app_id, dated, p_track->>'title',
    free_permalink('track', moving.user_id, p_permalink, NULL), p_track->>'description',
    (p_track->>'sanitizer_version')::smallint, 'podcast', p_track->>'artwork_version', p_track->>'artwork_colors',
    p_secret_hash, p_secret_sealed, item.object_key, p_filename, p_size)
  RETURNING * INTO made;
  INSERT INTO encoding_jobs (track_id, dispatched_at, turn) VALUES (made.id, now(), job_turn(made));
  INSERT INTO uploads (user_id, app_id, filename, size, type, status, part_size, part_count, object_key, track_id, expires_at)
  VALUES (moving.user_id, moving.app_id, p_filename, p_size, p_type, 'used', least(p_size, largest_part),
    ceil(p_size / largest_part::float8), item.object_key, made.id, now());
  DELETE FROM object_garbage WHERE prefix = item.object_key;
  INSERT INTO episodes SELECT f.* FROM jsonb_populate_record(
    NULL::episodes, p_fields || jsonb_build_object('track_id', made.id, 'guid', item.guid, 'updated_at', now())) f;
  INSERT INTO chapters (track_id, chapters) SELECT made.id, p_texts->'chapters' WHERE jsonb_typeof(p_texts->'chapters') = 'array';
  INSERT INTO chapter_pictures (version, track_id)
  SELECT DISTINCT c->>'picture', made.id FROM jsonb_path_query(p_texts, 'lax $.chapters[*]') c WHERE c ? 'picture';
  INSERT INTO transcripts (track_id, cues) SELECT made.id, p_texts->'cues' WHERE jsonb_typeof(p_texts->'cues') = 'array';
  PERFORM add_playlist_tracks(moving.playlist_id, ARRAY[made.id]);
  UPDATE playlists SET updated_at = now() WHERE id = moving.playlist_id;
  UPDATE podcast_import_episodes SET state = 'imported', track_id = made.id, size = p_size, fetched = p_size, reason = NULL,
    lease_token = NULL, lease_until = NULL, storage_upload_id = NULL
  WHERE id = p_episode;
  RETURN jsonb_build_object('outcome', 'done', 'track', made.id);
END $$;
