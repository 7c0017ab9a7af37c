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

/** The same for the end of a play. */
export const reachedMark = (
  env: Pick<Env, "SIGNING_KEYS">,
  track: number,
  { userId, address }: PlayedBy,
): Uint8Array => keyedDigest(env, "play", JSON.stringify([track, userId ?? address, "reached"]));

/** One of 512 registers, and the leading zeros of a random number: `estimate_listeners` tells by them how many numbers there were. */
const REGISTERS = 512;
const RANKS = 32;

/**
 * A code of 14 bits, by which distinct listeners are estimated as in HyperLogLog. Every listener of a service shares it with
 * others, so it names nobody. https://algo.inria.fr/flajolet/Publications/FlFuGaMe07.pdf
 */
export function listenerCode(env: Pick<Env, "SIGNING_KEYS">, { userId, address }: PlayedBy): number {
  const digest = Buffer.from(keyedDigest(env, "listener", String(userId ?? address)));
  const register = digest.readUInt16BE(0) % REGISTERS;
  const rank = Math.min(Math.clz32(digest.readUInt32BE(2)) + 1, RANKS - 1);
  return register * RANKS + rank;
}
