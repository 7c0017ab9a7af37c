import type { Env } from "../http/env.ts";
import { keyedDigest } from "../security/signing.ts";

/** Who listens: a user wherever they are, else an app at an address. */
export interface PlayedBy {
  userId: number | null;
  /** Client id; "" for visitors of pages. */
  app: string;
  /** As `addressOf` has it. */
  address: string;
}

/**
 * Stands for a listener and a track together, and says neither: no address is ever stored, and the same listener's mark on
 * another track is another one. A salt that changes by the day would count everybody twice around midnight.
 */
export const playMark = (
  env: Pick<Env, "SIGNING_KEYS">,
  track: number,
  { userId, app, address }: PlayedBy,
): Uint8Array =>
  keyedDigest(env, "play", JSON.stringify(userId === null ? [track, app, address] : [track, userId]));
