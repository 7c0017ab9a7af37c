import type { Context } from "hono";
import { isMultipart } from "./body/multipart.ts";
import type { AppEnv, Env, Viewer } from "./env.ts";
import { unauthorized } from "./errors.ts";
import { isRead } from "./methods.ts";
import type { OlderCredential } from "./older.ts";

type Verified = Viewer | undefined;

/** Returns the token's viewer, or `undefined` for a forged or expired token. Runs no SQL. */
export type VerifyToken = (token: string, env: Env) => Verified | Promise<Verified>;

/** Both schemes that clients send before their token. */
const SCHEME = /^(?:OAuth|Bearer) /i;

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

const tokenIn = (header: string): string | undefined =>
  SCHEME.test(header) ? header.slice(header.indexOf(" ") + 1) : undefined;

const clientViewer = (older: OlderCredential | undefined): Viewer | undefined =>
  older?.clientId === undefined
    ? undefined
    : { sessionId: NO_SESSION, clientId: older.clientId, userId: null };

/** Refuses an app that sent only its client id, unless the route accepts that. */
function checkToken(c: Context<AppEnv>, nameMay: "read" | "write"): void {
  const asking = c.get("viewer") ?? refuse(c);
  if (asking.sessionId === NO_SESSION && nameMay === "read" && !isRead(c))
    unauthorized("A client_id alone can only read; this needs an access token", true);
}

function checkUser(c: Context<AppEnv>): void {
  const asking = c.get("viewer") ?? refuse(c);
  if (asking.userId === null)
    unauthorized("This needs a user's access token; yours comes from the client credentials flow", true);
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

const inForm = (c: Context<AppEnv>) =>
  c.env.OLDER_BEHAVIOUR === "on" && isMultipart(c.req.raw)
    ? "; a form's oauth_token must stand before its files"
    : "";

function refuse(c: Context): never {
  if (c.req.header("Authorization") === undefined && !c.get("olderCredential"))
    unauthorized(
      `No access token was sent: add the header Authorization: OAuth <ACCESS_TOKEN>${inForm(c)}`,
      false,
    );
  const older = c.get("olderCredential");
  if (older && older.token === undefined && c.req.header("Authorization") === undefined)
    unauthorized("The client_id or oauth_token that was sent is not well formed", true);
  unauthorized("The access token is not valid or has expired", true);
}
