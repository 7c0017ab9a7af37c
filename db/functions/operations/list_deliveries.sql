-- Lists deliveries of all webhooks, newest first, below `p_before`: those that are pending, or failed, or failed for a webhook
-- that is disabled by now.
CREATE OR REPLACE FUNCTION list_deliveries(p_state text, p_before bigint, p_limit integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_agg(delivery_for_operators(f.d) ORDER BY (f.d).id DESC), '[]') FROM (
    SELECT d FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.id < coalesce(p_before, 9223372036854775807)
      AND d.state = CASE p_state WHEN 'pending' THEN 'pending' ELSE 'failed' END
      AND (p_state = 'pending' OR w.enabled = (p_state = 'failed'))
    ORDER BY d.id DESC LIMIT p_limit) f);
END $$;
