CREATE TABLE episodes (
  track_id bigint PRIMARY KEY CONSTRAINT episodes_track_id_tracks_id_fk REFERENCES tracks (id) ON DELETE CASCADE,
  explicit boolean,
  season smallint,
  number integer,
  transcript_url text,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE podcasts (
  playlist_id bigint PRIMARY KEY CONSTRAINT podcasts_playlist_id_playlists_id_fk REFERENCES playlists (id) ON DELETE CASCADE,
  author text,
  owner_name text,
  owner_email text,
  category text NOT NULL,
  language text NOT NULL,
  explicit boolean NOT NULL,
  podcast_type text NOT NULL CONSTRAINT podcasts_type CHECK (podcast_type IN ('episodic', 'serial')),
  updated_at timestamptz NOT NULL DEFAULT now()
);
