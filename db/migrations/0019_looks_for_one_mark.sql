-- The planner takes all indexes of a look for one mark for equally cheap if users and things have one mark each on average,
-- and may then read all that a busy user or a popular thing has. With two on average the key is always cheaper.
ALTER TABLE favorites ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN track_id SET (n_distinct = -0.5);
ALTER TABLE reposts ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN track_id SET (n_distinct = -0.5);
ALTER TABLE track_shares ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN track_id SET (n_distinct = -0.5);
ALTER TABLE playlist_favorites ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN playlist_id SET (n_distinct = -0.5);
ALTER TABLE playlist_reposts ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN playlist_id SET (n_distinct = -0.5);
ALTER TABLE followings ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN followee_id SET (n_distinct = -0.5);
ANALYZE favorites, reposts, track_shares, playlist_favorites, playlist_reposts, followings;
