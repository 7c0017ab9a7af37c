import * as z from "zod";
import type { Env } from "../../functions/lib/http/env.ts";
import { sign, verify } from "../../functions/lib/security/signing.ts";

/** Seconds: longer than any encode of 24 hours of audio. The lease also limits its use. */
const TICKET_TTL_S = 24 * 3600;

/** Allows a transcoder to read one source, write one attempt's outputs and report on it. */
export interface Ticket {
  track: number;
  attempt: number;
  lease: string;
  /** Takes the next job when this one ends. */
  transcoder: string;
}

/** Accepts further fields of a newer release, so that its tickets survive a rollback. */
const Payload = z.tuple([z.int(), z.int(), z.uuid(), z.int(), z.string()]).rest(z.unknown());

export const issueTicket = (
  env: Pick<Env, "SIGNING_KEYS">,
  { track, attempt, lease, transcoder }: Ticket,
): string => {
  const expiresAtS = Math.ceil(Date.now() / 1000) + TICKET_TTL_S;
  return sign(env, "ticket", JSON.stringify([track, attempt, lease, expiresAtS, transcoder]));
};

/** Returns `undefined` if the ticket is forged or expired. */
export function readTicket(env: Pick<Env, "SIGNING_KEYS">, ticket: string): Ticket | undefined {
  const payload = verify(env, "ticket", ticket);
  if (payload === undefined) return undefined;
  const { data } = Payload.safeParse(JSON.parse(payload));
  if (!data) return undefined;
  const [track, attempt, lease, expiresAtS, transcoder] = data;
  return expiresAtS * 1000 > Date.now() ? { track, attempt, lease, transcoder } : undefined;
}
