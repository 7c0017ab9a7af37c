/** Where objects lie. Never made from client text. */

export const originalKey = (userId: number): string => `in/${userId}/${crypto.randomUUID()}`;

/** Of one encoding attempt: a late writer of another attempt can never touch these. */
export const mediaPrefix = (trackId: number, leaseToken: string): string => `t/${trackId}/${leaseToken}/`;

/** Of one picture in all its formats. The migrations' triggers know it as well. */
export const imagePrefix = (version: string): string => `images/${version}/`;
