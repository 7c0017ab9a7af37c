/**
 * Facts of the family's official document: each schema's fields by type. `?` allows null, `[X]` is a list of X,
 * a capital names another schema, `a|b` are the only values.
 */
type Fields = Partial<Record<string, string>>;

const SHARING = "public|private";
const EMBEDDABLE_BY = "all|me|none";
const LICENSES =
  "no-rights-reserved|all-rights-reserved|cc-by|cc-by-nc|cc-by-nd|cc-by-sa|cc-by-nc-nd|cc-by-nc-sa";
const PERSON =
  "avatar_url city country created_at description discogs_name first_name full_name kind last_modified last_name permalink permalink_url plan uri urn username website website_title";
const RELEASE = "release_day release_month release_year";

export const REPLIES: Record<string, Fields> = {
  Error: { integer: "code", text: "message link status", "text?": "error", "[Problem]": "errors" },
  Problem: { text: "error_message" },
  TooManyRequests: {
    integer: "code",
    text: "message link status spam_warning_urn",
    "text?": "error",
    "[Problem]": "errors",
  },
  Found: { text: "status location" },
  Done: { text: "status" },
  Subscription: { Product: "product", boolean: "recurring" },
  Product: { text: "id name" },
  User: {
    text: PERSON,
    integer:
      "followers_count followings_count playlist_count public_favorites_count reposts_count track_count",
    "[Subscription]": "subscriptions",
  },
  Me: {
    text: PERSON,
    "text?": "locale",
    integer:
      "comments_count followers_count followings_count likes_count playlist_count private_playlists_count private_tracks_count public_favorites_count reposts_count track_count",
    "integer?": "upload_seconds_left",
    boolean: "online primary_email_confirmed",
    Quota: "quota",
    "[Subscription]": "subscriptions",
  },
  Quota: {
    boolean: "unlimited_upload_quota",
    integer: "upload_seconds_used",
    "integer?": "upload_seconds_left",
  },
  Users: { "[User]": "collection", text: "next_href" },
  Track: {
    text: "artwork_url available_country_codes created_at description embeddable_by genre isrc key_signature kind label_name license metadata_artist permalink_url purchase_title purchase_url release secret_uri sharing stream_url tag_list title uri urn waveform_url",
    "text?": "download_url",
    number: "bpm",
    integer: `comment_count download_count duration favoritings_count playback_count reposts_count user_playback_count ${RELEASE}`,
    boolean: "commentable downloadable reveal_comments reveal_stats streamable user_favorite",
    "playable|preview|blocked|null": "access",
    User: "user",
  },
  Tracks: { "[Track]": "collection", text: "next_href" },
  Playlist: {
    text: "artwork_url created_at description ean embeddable_by genre kind label_name last_modified license permalink permalink_url playlist_type purchase_title purchase_url release sharing tag_list title type uri urn user_urn",
    "text?": "tracks_uri tags",
    integer: `duration label_id likes_count track_count ${RELEASE}`,
    boolean: "downloadable streamable",
    User: "user",
    "User?": "label",
    "[Track]": "tracks",
  },
  Playlists: { "[Playlist]": "collection", text: "next_href" },
  Activities: { "[Activity]": "collection", text: "next_href future_href" },
  Activity: { text: "type created_at", "Track|Playlist": "origin" },
  WebProfile: { text: "created_at kind service title url urn username" },
  Comment: { text: "body created_at kind timestamp track_urn uri urn user_urn", Commenter: "user" },
  Commenter: {
    text: "avatar_url kind last_modified permalink permalink_url uri urn username",
    integer: "followers_count followings_count reposts_count",
  },
  Comments: { "[Comment]": "collection", "text?": "next_href" },
  Streams: { text: "hls_aac_160_url hls_mp3_128_url http_mp3_128_url preview_mp3_128_url" },
  Storefront: {
    text: "link title track_urn",
    "text?": "description image_url link_title price",
    "digital|vinyl|cd|cassette|apparel|sample_pack|subscription|live_event|live_stream|other": "type",
  },
};

const TRACK: Fields = {
  text: "description genre isrc label_name permalink purchase_url release release_date tag_list title",
  boolean: "commentable downloadable reveal_comments reveal_stats streamable",
  [SHARING]: "sharing",
  [EMBEDDABLE_BY]: "embeddable_by",
  [LICENSES]: "license",
};

const PLAYLIST: Fields = {
  text: "description ean genre label_name license permalink permalink_url purchase_title purchase_url release release_date tag_list title",
  [SHARING]: "sharing",
  "album|playlist": "set_type",
};

/** Bodies by the document's names for them. Forms wrap each field, as in `track[title]`. */
export const REQUESTS: Record<string, Fields> = {
  TrackMetadataRequest: TRACK,
  TrackDataRequest: { ...TRACK, file: "asset_data artwork_data" },
  TrackUpdateFormRequest: { ...TRACK, file: "artwork_data" },
  CreateUpdatePlaylistRequest: { ...PLAYLIST, "[Named]": "tracks" },
  CreateUpdatePlaylistFormRequest: { ...PLAYLIST, file: "artwork_data", "[Named]": "tracks" },
  OAuthToken: { text: "grant_type client_id client_secret code redirect_uri refresh_token" },
  StorefrontUpdateRequest: { text: "title type link link_title description price" },
};
