import type { Env } from "../functions/lib/http/env.ts";

/** Carries the secret of a local stack's front. */
export const FRONT_HEADER = "Soundpost-Front";

/**
 * Refuses requests that came around the front of a local stack: they could name any client's address and country. Deployed,
 * only the platform reaches the Worker, and there is no secret.
 */
export const refuseAround = ({ headers }: Request, { FRONT_SECRET }: Pick<Env, "FRONT_SECRET">) =>
  FRONT_SECRET !== undefined && headers.get(FRONT_HEADER) !== FRONT_SECRET
    ? new Response(null, { status: 401 })
    : undefined;
