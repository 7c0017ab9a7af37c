import { decodeJwt } from "jose";
import * as z from "zod";
import type { LiveToken } from "../../../db/queries/oauth.ts";
import { CLIENT_ID } from "../../lib/http/document/example-secrets.ts";
import type { Env } from "../../lib/http/env.ts";
import { about } from "../../lib/text/fields.ts";

export const Introspection = z
  .strictObject({
    active: z
      .boolean()
      .meta(about("Whether the token is valid and this client's. If not, no other field is there.", true)),
    client_id: z.string().optional().meta(about("Public name of the app.", CLIENT_ID)),
    username: z.string().optional().meta(about("Name as shown.", "ana")),
    sub: z
      .string()
      .optional()
      .meta(
        about("`u:` and the user's id; `c:` and the client id for an app's own token.", "u:338914811904777"),
      ),
    scope: z
      .string()
      .optional()
      .meta(about("What the token may do. Empty or `*`: everything.", "read tracks")),
    token_type: z.literal("Bearer").optional().meta(about("`OAuth` works too.", "Bearer")),
    iss: z.string().optional().meta(about("The authorization server.", "https://secure.soundpost.example")),
    aud: z.string().optional().meta(about("The API that takes the token.", "https://api.soundpost.example")),
    iat: z.int().optional().meta(about("Time of issue, in seconds since 1970.", 1794996400)),
    exp: z.int().optional().meta(about("End of the token, in seconds since 1970.", 1795000000)),
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
  const { iat, exp, scope } = isRefreshToken
    ? { iat: live.issued_at ?? undefined, exp: live.expires_at ?? undefined, scope: live.scope }
    : decodeJwt<{ scope?: string }>(token);
  return {
    active: true,
    client_id: clientId,
    ...(live.username !== null && { username: live.username }),
    sub: live.user === null ? `c:${clientId}` : `u:${live.user}`,
    // An access token may have less than its session: RFC 6749 §6.
    scope: scope ?? live.scope,
    ...(!isRefreshToken && { token_type: "Bearer" as const }),
    iss: env.AUTH_URL,
    aud: env.API_URL,
    iat,
    exp,
  };
}
