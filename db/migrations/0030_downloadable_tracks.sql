DO $$
BEGIN
  IF to_regproc('index_track') IS NOT NULL THEN
    PERFORM index_track(t) FROM (SELECT o FROM tracks o WHERE o.downloadable FOR NO KEY UPDATE) AS held(t);
  END IF;
END $$;
