/** Routes of media and pictures, and of a track's lasting address. The site's own files never reach the Worker. */
const FILE = /^\/(?:media|images)\/|\.mp3\}?$/;

/** Requests that make up a play: its links and its files. */
const PLAY = /^\/(?:media|images)\/|^\/tracks\/:id\/streams?$|\.mp3\}?$/;

/** A play takes some forty requests, and logging each would cost more than serving it. */
export const SAMPLED_ONE_OF = 100;

/** Whether the reply is a file, which depends on no header of the request. */
export const isFileReply = (route: string, status: number): boolean => status < 400 && FILE.test(route);

/** Whether one of `SAMPLED_ONE_OF` such requests is logged. Failures always are. */
export const isSampled = (route: string, status: number): boolean => status < 400 && PLAY.test(route);
