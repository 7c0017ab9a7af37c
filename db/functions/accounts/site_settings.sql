-- Returns the contents of the settings page. Null if nobody is signed in.
CREATE OR REPLACE FUNCTION site_settings(p_session text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user', w.who, 'apps', connected_apps(u.id), 'webhooks', webhooks_of_user(u.id),
    'browsers', browsers_of_user(u.id, p_session),
    'avatar_version', u.avatar_version, 'quota', quota_of(u.id),
    'profile', json_build_object('username', u.username, 'full_name', u.full_name, 'city', u.city, 'country', u.country,
      'description', u.description, 'website', u.website, 'website_title', u.website_title,
      'discogs_name', u.discogs_name, 'myspace_name', u.myspace_name),
    'pending_email', pending_email(u.id),
    -- Never of an address that another account may have: the lack of a failure would tell that it has.
    'mail_failed', NOT (w.who->>'confirmed')::boolean AND EXISTS (
      SELECT FROM mails m WHERE m.user_id = u.id AND m.kind = 'confirm' AND m.state = 'failed'))
  FROM (SELECT site_user(p_session) AS who) w JOIN users u ON u.id = (w.who->>'id')::bigint
$$;
