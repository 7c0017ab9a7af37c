import type { Env } from "../http/env.ts";
import { keyedDigest } from "../security/signing.ts";

/** The listener: a user on any device, otherwise an app at an address. */
export interface PlayedBy {
  userId: number | null;
  /** Client id; "" for visitors of pages. */
  app: string;
  /** Cut by `addressOf`. */
  address: string;
}

/**
 * Identifies a listener of one track without revealing either, so no address is stored. A salt that changes
 * daily would count everybody twice around midnight.
 */
export const playMark = (
  env: Pick<Env, "SIGNING_KEYS">,
  track: number,
  { userId, app, address }: PlayedBy,
): Uint8Array =>
  keyedDigest(env, "play", JSON.stringify(userId === null ? [track, app, address] : [track, userId]));
