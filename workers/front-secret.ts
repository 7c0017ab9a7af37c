import type { Env } from "../functions/lib/http/env.ts";

/** Carries the secret of a local stack's front. */
export const FRONT_HEADER = "Soundpost-Front";

/**
 * Refuses requests that bypass the front of a local stack, because they could claim any client address and country.
 * In a deployment only the platform reaches the Worker, so there is no secret.
 */
export const refuseAround = ({ headers }: Request, { FRONT_SECRET }: Pick<Env, "FRONT_SECRET">) =>
  FRONT_SECRET !== undefined && headers.get(FRONT_HEADER) !== FRONT_SECRET
    ? new Response(null, { status: 401 })
    : undefined;
