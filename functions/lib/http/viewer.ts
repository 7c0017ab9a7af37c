import type { Context } from "hono";
import { PERSONAL_CLIENT } from "../../../db/queries/personal-tokens.ts";
import { HttpError } from "../errors/http-error.ts";
import type { AppEnv, Env, Viewer } from "./env.ts";
import { unauthorized } from "./errors.ts";
import { isRead } from "./methods.ts";
import type { OlderCredential } from "./older.ts";
import type { RouteScope } from "./scopes.ts";
import { refuseToken, tokenIn } from "./token-refusal.ts";

type Verified = Viewer | undefined;

/** Returns the token's viewer, or `undefined` for a forged or expired token. Runs no SQL. */
export type VerifyToken = (token: string, env: Env) => Verified | Promise<Verified>;

/** Session id of an app that sent only its client id. Statements recognize it, and no token can carry it. */
const NO_SESSION = 0;

/** Reads the credentials once; the header takes precedence. Each route decides whether a token is needed. */
export function identify(c: Context<AppEnv>, verify: VerifyToken): void | Promise<void> {
  const header = c.req.header("Authorization");
  const older = header === undefined ? c.get("olderCredential") : undefined;
  const token = header === undefined ? older?.token : tokenIn(header);
  const found = token !== undefined ? verify(token, c.env) : clientViewer(older);
  // Most tokens are in the cache, so nothing needs awaiting.
  if (!(found instanceof Promise)) return void c.set("viewer", found ?? null);
  return found.then((viewer) => c.set("viewer", viewer ?? null));
}

const clientViewer = (older: OlderCredential | undefined): Viewer | undefined =>
  older?.clientId === undefined
    ? undefined
    : { sessionId: NO_SESSION, clientId: older.clientId, userId: null };

/** Refuses an app that sent only its client id, unless the route accepts that. */
function checkToken(c: Context<AppEnv>, nameMay: "read" | "write"): void {
  const asking = c.get("viewer") ?? refuseToken(c);
  if (asking.sessionId === NO_SESSION && nameMay === "read" && !isRead(c)) refuseClientId();
  if (asking.userId === null) c.set("db", c.get("db").forVisitors());
}

const refuseClientId = () =>
  unauthorized(
    "A client_id alone only reads public resources: send the header Authorization: OAuth <ACCESS_TOKEN>",
    true,
    "client-id-only-reads",
  );

function checkUser(c: Context<AppEnv>): void {
  const asking = c.get("viewer") ?? refuseToken(c);
  if (asking.sessionId === NO_SESSION) refuseClientId();
  if (asking.userId === null)
    unauthorized(
      `This needs a user's access token, and yours comes from the client credentials flow: send the user to ${c.env.AUTH_URL}/authorize with PKCE, and exchange the code with grant_type=authorization_code`,
      true,
      "user-token-needed",
    );
}

type Authorize = (c: Context<AppEnv>) => void;

/** Refuses viewers who may not call a route, by the `auth` of its contract. */
export const authorizers: Record<"token" | "app" | "user" | "anyone" | "page", Authorize> = {
  token: (c) => checkToken(c, "read"),
  app: (c) => checkToken(c, "write"),
  user: checkUser,
  anyone: () => {},
  page: () => {},
};

/** Refuses a token of another scope, before any statement. RFC 6750 §3.1 */
export function checkScope(c: Context<AppEnv>, needed: RouteScope): void {
  const { scopes: limits, clientId } = c.get("viewer") ?? {};
  if (!limits || (needed !== "*" && limits.includes(needed))) return;
  const needs = `error="insufficient_scope", scope="${needed}"`;
  const granted = limits.join(" ") || "nothing";
  const why =
    needed === "*"
      ? `This needs a token without limits, and yours is limited to: ${granted}`
      : `This needs the scope ${needed}, and your token has: ${granted}`;
  const asking =
    needed === "*"
      ? `Ask at ${c.env.AUTH_URL}/authorize without scope`
      : `Ask for it at ${c.env.AUTH_URL}/authorize, too`;
  const remedy = clientId === PERSONAL_CLIENT ? `Make another at ${c.env.AUTH_URL}/settings/tokens` : asking;
  throw new HttpError(
    403,
    [`${why}. ${remedy}`],
    { "WWW-Authenticate": `OAuth realm="api", ${needs}, Bearer realm="api", ${needs}` },
    "insufficient-scope",
  );
}
