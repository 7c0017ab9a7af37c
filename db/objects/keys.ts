/** Builders of object keys, never from client text. */

export const originalKey = (userId: number): string => `in/${userId}/${crypto.randomUUID()}`;

/** Prefix of one encoding attempt. A late writer from another attempt cannot touch it. */
export const mediaPrefix = (trackId: number, leaseToken: string): string => `t/${trackId}/${leaseToken}/`;

/** Plays that no queue took. The sweep lists and counts them. */
export const SPOOLED_PLAYS = "plays/";
export const spooledPlaysKey = (): string => `${SPOOLED_PLAYS}${crypto.randomUUID()}.json`;

/** Prefix of one picture in all its formats. The trigger `image_changed` builds the same. */
export const imagePrefix = (version: string): string => `images/${version}/`;
