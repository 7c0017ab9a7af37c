/** Differences from the family's official document that stay, by reason. The test finds exactly these. */
export const DIFFERENCES: { reason: string; found: string[] }[] = [
  {
    reason: "Nothing is set. The document forgets that these may be null, as the family's own replies are.",
    found: nulls({
      User: "city country description discogs_name first_name full_name last_name website website_title",
      Track:
        "artwork_url available_country_codes bpm description genre isrc key_signature label_name purchase_title purchase_url release release_day release_month release_year waveform_url",
      Playlist:
        "artwork_url description ean genre label_id label_name playlist_type purchase_title purchase_url release release_day release_month release_year type",
      WebProfile: "title username",
    }),
  },
  {
    reason: "Tracks that differ have no common value, as the specification says.",
    found: nulls({ Playlist: "downloadable streamable" }),
  },
  { reason: "What a user pays for is shown to nobody else.", found: nulls({ User: "plan subscriptions" }) },
  {
    reason: "A comment may be untimed, and its time is an integer, as the specification says.",
    found: ["Comment.timestamp is null", "Comment.timestamp is an integer, not text"],
  },
  {
    reason: "The document calls a list of countries a text.",
    found: ["Track.available_country_codes is a list, not text"],
  },
  {
    reason: "The last page has no `next_href`: the specification says that its absence means the end.",
    found: ["Activities", "Playlists", "Tracks", "Users"].map((name) => `${name}.next_href is absent`),
  },
  {
    reason: "The owner alone has the secret, and a file that nobody may download has no address.",
    found: ["Track.secret_uri is absent", "Track.download_url is absent"],
  },
  {
    reason: "A search returns playlists without their tracks, as the specification says.",
    found: ["Playlist.tracks is absent"],
  },
  {
    reason: "Tracks and playlists hold the specification's mini user, not the whole one.",
    found: ["Track.user", "Playlist.user", "Playlist.label"].flatMap((where) =>
      "city country created_at description discogs_name first_name followers_count followings_count full_name last_name plan playlist_count public_favorites_count reposts_count subscriptions track_count website website_title"
        .split(" ")
        .map((field) => `${where}.${field} is absent`),
    ),
  },
  {
    reason:
      "Activities of the specification's types `comment` and `favoriting` are about those, not only tracks.",
    found: ["Activity.origin is none of Track|Playlist"],
  },
  {
    reason: "Budgets name the limit in `errors[0].meta`; there is no spam warning to point to.",
    found: ["TooManyRequests.spam_warning_urn is absent"],
  },
  {
    reason:
      "Lists but followers and followings are bare without `linked_partitioning`, as the specification says.",
    found: ["/playlists/{set}/reposters", "/tracks/{full}/reposters"].map(
      (path) => `GET ${path} is a list, not Users`,
    ),
  },
  {
    reason: "The specification has the resource itself here, and the redirect in the older dialect.",
    found: ["GET /resolve is never answered 302"],
  },
  {
    reason: "A parameter that fails validation is 422, and an unknown id 404: nothing is left for 400.",
    found: [
      "GET /playlists/{set} is never answered 400",
      ...["tracks/{bare}", "playlists/{set}"].flatMap((what) =>
        ["POST", "DELETE"].map((method) => `${method} /likes/${what} is never answered 400`),
      ),
    ],
  },
  {
    reason: "Nothing in such a request can be unknown.",
    found: ["GET /me/playlists is never answered 404", "POST /playlists is never answered 404"],
  },
  {
    reason: "Unfollowing oneself finds nothing to end.",
    found: ["DELETE /me/followings/{label} is never answered 422"],
  },
  { reason: "No request can provoke an unexpected error.", found: ["GET /tracks is never answered 500"] },
  {
    reason: "A shop's window beside a track (since July 2026) is not offered.",
    found: [200, 400, 401, 403].map((status) => `PUT /tracks/{full}/storefront is never answered ${status}`),
  },
];

/** Fields of official replies that never hold anything but null here. */
export const NEVER_FILLED: { reason: string; fields: string[] }[] = [
  { reason: "The document says that it is always null.", fields: ["Error.error", "TooManyRequests.error"] },
  { reason: "See above.", fields: ["TooManyRequests.spam_warning_urn", "User.plan", "User.subscriptions"] },
  { reason: "Accounts keep no language.", fields: ["Me.locale"] },
  {
    reason: "Without a quota there is no rest. Tests of quotas see it filled.",
    fields: ["Me.upload_seconds_left", "Quota.upload_seconds_left"],
  },
  {
    reason: "Not offered.",
    fields: "description image_url link link_title price title track_urn type"
      .split(" ")
      .map((field) => `Storefront.${field}`),
  },
];

function nulls(fields: Record<string, string>): string[] {
  return Object.entries(fields).flatMap(([schema, names]) =>
    names.split(" ").map((name) => `${schema}.${name} is null`),
  );
}
