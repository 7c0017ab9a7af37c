import type { Env } from "../../lib/http/env.ts";
import { keyedDigest } from "../../lib/security/signing.ts";

/**
 * The listener: a user on any device, otherwise an address. Not the app, because a person may register any number of
 * them.
 */
export interface PlayedBy {
  userId: number | null;
  /** Shortened by `addressOf`. */
  address: string;
}

/**
 * Identifies a listener of one track without revealing either, so no address is stored. A salt that changes
 * daily would count everybody twice around midnight.
 */
export const playMark = (
  env: Pick<Env, "SIGNING_KEYS">,
  track: number,
  { userId, address }: PlayedBy,
): Uint8Array => keyedDigest(env, "play", JSON.stringify([track, userId ?? address]));
