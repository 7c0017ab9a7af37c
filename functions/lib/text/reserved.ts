/** First path segments of present and future routes. As usernames they would hide pages, or be hidden. */
const RESERVED = new Set(
  `.well-known about activities admin api apps assets authorize cancel-change changelog charts client.tgz comments
  companion confirm connect connections dev developers discover docs docs.md embed explore favicon.ico favorites feed followers
  following followings forgot groups healthz help history home images jwks.json legal library likes llms.txt llms-full.txt login logout mail me
  manifest.webmanifest media messages metrics notifications oauth oauth2 oembed oembed.json offline offline-worker.js openapi.json people player playlists
  plays privacy readyz recently-played register releases report reposts reset resolve robots.txt search session sets settings sign-out
  signin signout signup sitemap.xml sitemaps static stats status status.json status.xml stream suggestions tags terms tracks upload uploads users web-profiles webhooks
  you`.split(/\s+/),
);

export const isReserved = (permalink: string): boolean => RESERVED.has(permalink.toLowerCase());
