import type { Context } from "hono";
import { isPersonalToken } from "./access-token.ts";
import { isMultipart } from "./body/multipart.ts";
import type { AppEnv, Env } from "./env.ts";
import { unauthorized } from "./errors.ts";

/** Both schemes that clients send before their token. */
const SCHEME = /^(?:OAuth|Bearer) /i;

export const tokenIn = (header: string): string | undefined =>
  SCHEME.test(header) ? header.slice(header.indexOf(" ") + 1) : undefined;

/** Refuses a request without a valid credential, and says what to send instead. */
export function refuseToken(c: Context<AppEnv>): never {
  const header = c.req.header("Authorization");
  const older = header === undefined ? c.get("olderCredential") : undefined;
  if (header === undefined && older === undefined) return refuseMissing(c);
  const token = header === undefined ? older?.token : tokenIn(header);
  if (token === undefined)
    return header === undefined
      ? unauthorized("The client_id or oauth_token that was sent is not well formed", true, "invalid-token")
      : refuseScheme(c.env, header);
  if (expiresAtMs(token) < Date.now())
    return isPersonalToken(token) ? refuseEnded(c.env) : refuseExpired(c.env);
  return refuseInvalid(c.env, token);
}

const refuseMissing = (c: Context<AppEnv>): never =>
  unauthorized(
    `No access token was sent: add the header Authorization: OAuth <ACCESS_TOKEN>${inForm(c)}`,
    false,
    "missing-token",
  );

const inForm = (c: Context<AppEnv>) =>
  c.env.OLDER_BEHAVIOUR === "on" && isMultipart(c.req.raw)
    ? "; a form's oauth_token must stand before its files"
    : "";

const refuseScheme = ({ AUTH_URL }: Env, header: string): never =>
  unauthorized(
    /^basic\b/i.test(header)
      ? `The API takes no client secret: exchange it at ${AUTH_URL}/oauth/token, then send Authorization: OAuth <ACCESS_TOKEN>`
      : "The header Authorization must be OAuth <ACCESS_TOKEN>, with one blank between",
    true,
    "wrong-authorization-scheme",
  );

const refuseExpired = ({ AUTH_URL }: Env): never =>
  unauthorized(
    `The access token has expired: send your refresh token to ${AUTH_URL}/oauth/token with grant_type=refresh_token, and use the new access token`,
    true,
    "expired-token",
  );

const refuseEnded = ({ AUTH_URL }: Env): never =>
  unauthorized(
    `The personal token has expired: make another at ${AUTH_URL}/settings/tokens`,
    true,
    "expired-token",
  );

/** Our other secrets, by prefix, which people mistake for access tokens, and the grants that exchange them. */
const OTHER_SECRETS: Record<string, [name: string, grant: string]> = {
  rt_: ["A refresh token", "refresh_token"],
  ac_: ["An authorization code", "authorization_code"],
  cs_: ["A client secret", "client_credentials"],
};

function refuseInvalid({ AUTH_URL }: Env, token: string): never {
  const [name, grant] = OTHER_SECRETS[token.slice(0, 3)] ?? [];
  const why = name
    ? `${name} was sent: exchange it at ${AUTH_URL}/oauth/token with grant_type=${grant}, and send access_token of the reply`
    : `The access token is not valid: send access_token from the reply of ${AUTH_URL}/oauth/token, whole and unchanged`;
  return unauthorized(why, true, "invalid-token");
}

/** Reads `exp` of a token that was refused already. Unverified, it only chooses the refusal's words. */
function expiresAtMs(token: string): number {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const isObject = typeof payload === "object" && payload !== null && "exp" in payload;
    return isObject && typeof payload.exp === "number" ? payload.exp * 1000 : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
