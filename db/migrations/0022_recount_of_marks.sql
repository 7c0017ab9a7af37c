-- Marks of users who are suspended or have left count no more. A recount within minutes takes off those from before, which
-- would otherwise count twice when their user returns.
UPDATE recounts SET begun_at = '-infinity', after_id = NULL;
