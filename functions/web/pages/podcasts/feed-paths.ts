/** Feeds and their files, which players in any page may read whatever the reply: no cookie opens them. */
export const isFeedFile = (path: string): boolean =>
  /^(?:\/[^/]+){1,4}\/(?:feed\.xml|chapters\.json|[^/]+\.mp3)$/.test(path);
