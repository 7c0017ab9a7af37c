/** Feeds and their files. Any page may read every reply, because no cookie opens them. */
export const isFeedFile = (path: string): boolean =>
  /^(?:\/[^/]+){1,4}\/(?:feed\.xml|chapters\.json|transcript\.(?:vtt|srt|json)|[^/]+\.mp3)$/.test(path);
