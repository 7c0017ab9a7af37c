/** First path segments of routes, today's and those to come: as usernames they would hide pages or be hidden by them. */
const RESERVED = new Set(
  `.well-known activities admin api apps assets authorize comments companion confirm connect connections dev discover docs
  embed explore favorites feed followers followings
  forgot groups healthz help home images jwks.json likes login logout mail me media messages notifications oauth oauth2
  oembed oembed.json openapi.json people player playlists plays readyz recently-played register reposts reset resolve search sets settings
  sign-out signin signout signup static stats stream terms tracks upload uploads users web-profiles webhooks you`.split(
    /\s+/,
  ),
);

export const isReserved = (permalink: string): boolean => RESERVED.has(permalink.toLowerCase());
