import { decodeJwt } from "jose";
import * as z from "zod";
import type { LiveToken } from "../../../db/queries/oauth.ts";
import type { Env } from "../../lib/http/env.ts";

export const Introspection = z
  .strictObject({
    active: z.boolean(),
    client_id: z.string().optional(),
    username: z.string().optional(),
    sub: z.string().optional(),
    scope: z.string().optional(),
    token_type: z.literal("Bearer").optional(),
    iss: z.string().optional(),
    aud: z.string().optional(),
    iat: z.int().optional(),
    exp: z.int().optional(),
  })
  .meta({ id: "Introspection" });

/** RFC 7662 §2.2: an inactive token reveals nothing more. The access token was verified before. */
export function introspection(
  live: LiveToken | null,
  token: string,
  clientId: string,
  env: Pick<Env, "AUTH_URL" | "API_URL">,
): z.infer<typeof Introspection> {
  if (!live) return { active: false };
  const isRefreshToken = live.expires_at !== null;
  const { iat, exp } = isRefreshToken
    ? { iat: live.issued_at ?? undefined, exp: live.expires_at ?? undefined }
    : decodeJwt(token);
  return {
    active: true,
    client_id: clientId,
    ...(live.username !== null && { username: live.username }),
    sub: live.user === null ? `c:${clientId}` : `u:${live.user}`,
    scope: live.scope,
    ...(!isRefreshToken && { token_type: "Bearer" as const }),
    iss: env.AUTH_URL,
    aud: env.API_URL,
    iat,
    exp,
  };
}
