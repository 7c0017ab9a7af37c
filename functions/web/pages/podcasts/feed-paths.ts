/** Feeds and their files, and the status. Any page may read every reply, because no cookie opens them. */
export const isFeedFile = (path: string): boolean =>
  /^\/status\.(?:json|xml)$/.test(path) ||
  /^(?:\/[^/]+){1,4}\/(?:feed\.xml|chapters\.json|transcript\.(?:vtt|srt|json)|[^/]+\.mp3)$/.test(path);
