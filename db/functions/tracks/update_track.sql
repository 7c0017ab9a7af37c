-- Changes columns of a track. `title_permalink` is the one that the new title would have. `p_expected` holds accepted values of
-- `updated_at`, or null. The reply has the track if `p_shows`; whoever changes many would throw it away.
CREATE OR REPLACE FUNCTION update_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_expected timestamptz[],
  p_credit_budget jsonb DEFAULT NULL, p_shows boolean DEFAULT true
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored tracks;
  wanted tracks;
  credited jsonb;
  fault text;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF p_changes ?| '{permalink,title_permalink}' THEN
    PERFORM pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(p_user));
  END IF;
  SELECT * INTO stored FROM tracks WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('outcome', 'changed');
  END IF;
  wanted := jsonb_populate_record(stored, p_changes);
  -- A time keeps it private until then, whatever sharing came with it. One that is unchanged may have passed, so that clients
  -- can save what they read.
  IF p_changes->>'publish_at' IS NOT NULL THEN
    IF stored.sharing = 'public' AND p_changes->>'sharing' IS DISTINCT FROM 'private' THEN
      RETURN json_build_object('outcome', 'is_public');
    ELSIF wanted.publish_at IS DISTINCT FROM stored.publish_at AND wanted.publish_at <= now() THEN
      RETURN json_build_object('outcome', 'time_passed');
    END IF;
    wanted.sharing := 'private';
  ELSIF wanted.sharing = 'public' THEN
    wanted.publish_at := NULL;
  END IF;
  -- While nothing was published and the owner chose none, the permalink follows the title.
  IF p_changes ? 'title_permalink' AND wanted.title <> stored.title AND wanted.permalink = stored.permalink
      AND stored.sharing = 'private' AND NOT stored.was_public AND NOT stored.permalink_chosen THEN
    wanted.permalink := free_permalink('track', p_user, p_changes->>'title_permalink', p_id);
  END IF;
  IF stored.taken_down_at IS NOT NULL
    AND (wanted.sharing <> 'private' OR wanted.publish_at IS NOT NULL AND wanted.publish_at IS DISTINCT FROM stored.publish_at) THEN
    RETURN json_build_object('outcome', 'taken_down');
  END IF;
  IF wanted.downloadable AND NOT stored.downloadable AND stored.original_deleted_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'no_original');
  END IF;
  -- A suspended label stays until it is changed, so that clients can save what they read.
  fault := fields_fault(nullif(wanted.label_id, stored.label_id), wanted.release_year, wanted.release_month, wanted.release_day,
    free_permalink('track', p_user, wanted.permalink, p_id) <> wanted.permalink);
  IF fault IS NOT NULL THEN
    RETURN json_build_object('outcome', fault);
  END IF;
  IF stored.taken_down_at IS NOT NULL AND p_changes ? 'sharing' THEN
    -- The owner wants the track private, so it stays private when it is put back.
    UPDATE takedowns SET sharing = 'private' WHERE track_id = p_id;
  END IF;
  IF p_changes ? 'artwork_version' AND NOT p_changes ? 'artwork_colors' THEN
    -- A Worker of the release before knows no colours.
    wanted.artwork_colors := NULL;
  END IF;
  IF p_changes ? 'artists' THEN
    credited := named_artists(p_user, p_client, p_id, wanted.artists, p_credit_budget);
    IF credited->>'outcome' <> 'done' THEN
      RETURN credited;
    END IF;
    wanted.artists := nullif(credited->'artists', 'null');
  END IF;
  wanted.artist := nullif(wanted.artist, (SELECT username FROM users WHERE id = p_user));
  IF wanted IS DISTINCT FROM stored THEN
    UPDATE tracks SET updated_at = now(), title = wanted.title,
      permalink = wanted.permalink, permalink_chosen = wanted.permalink_chosen, artist = wanted.artist, description = wanted.description,
      sanitizer_version = wanted.sanitizer_version, genre = wanted.genre, tag_list = wanted.tag_list,
      track_type = wanted.track_type, license = wanted.license, label_id = wanted.label_id,
      label_name = wanted.label_name, release = wanted.release, release_day = wanted.release_day,
      release_month = wanted.release_month, release_year = wanted.release_year, isrc = wanted.isrc, bpm = wanted.bpm,
      key_signature = wanted.key_signature, purchase_url = wanted.purchase_url, purchase_title = wanted.purchase_title,
      video_url = wanted.video_url, artwork_version = wanted.artwork_version, artwork_colors = wanted.artwork_colors, sharing = wanted.sharing,
      publish_at = wanted.publish_at, artists = wanted.artists,
      embeddable_by = wanted.embeddable_by, streamable = wanted.streamable, downloadable = wanted.downloadable,
      commentable = wanted.commentable, reveal_comments = wanted.reveal_comments,
      reveal_stats = wanted.reveal_stats, paywall = wanted.paywall,
      available_country_codes = wanted.available_country_codes
    WHERE id = p_id RETURNING * INTO wanted;
  END IF;
  RETURN json_build_object('outcome', 'done', 'spent', credited->'spent',
    'track', CASE WHEN p_shows THEN track_row(wanted, p_user, 'playable') END);
END $$;
