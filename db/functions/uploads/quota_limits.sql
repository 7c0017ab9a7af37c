-- Returns a user's own limits, else those of the plan; null is no limit.
CREATE OR REPLACE FUNCTION quota_limits(p_user bigint, OUT seconds bigint, OUT bytes bigint, OUT tracks bigint)
LANGUAGE sql STABLE AS $$
  SELECT nullif(coalesce(o.seconds, p.seconds), -1), nullif(coalesce(o.bytes, p.bytes), -1),
    nullif(coalesce(o.tracks, p.tracks), -1)
  FROM users u LEFT JOIN plan_quotas p ON p.plan = u.plan LEFT JOIN user_quotas o ON o.user_id = u.id
  WHERE u.id = p_user
$$;
