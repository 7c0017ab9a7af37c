import type { Context } from "hono";
import { ahead, step } from "./chain.ts";
import { documented } from "./contract.ts";
import type { OlderCredential } from "./dialect.ts";
import type { AppEnv, Env, TokenEnv, UserEnv, Viewer } from "./env.ts";
import { ErrorBody, unauthorized } from "./errors.ts";
import { settleFormat } from "./formats.ts";
import { oncePerKey } from "./idempotency.ts";
import { isRead } from "./methods.ts";
import { isMultipart } from "./multipart.ts";

type Verified = Viewer | undefined;

/** Tells whose token it is; `undefined` for one that is not ours, expired or tampered with. Costs no SQL. */
export type VerifyToken = (token: string, env: Env) => Verified | Promise<Verified>;

/** The two words that clients of this family send before their token. */
const SCHEME = /^(?:OAuth|Bearer) /i;

/** An app that only named itself: no session, no user. Statements know it by this, and no token can carry it. */
const NO_SESSION = 0;

/** Reads the credentials once; the header decides who asks. Whether a token is needed is each route's own word. */
export const viewer = (verify: VerifyToken) =>
  step<AppEnv>((c) => {
    const header = c.req.header("Authorization");
    const older = header === undefined ? c.get("olderCredential") : undefined;
    const token = header === undefined ? older?.token : tokenIn(header);
    const found = token !== undefined ? verify(token, c.env) : named(older);
    // Most tokens came before: who waits for nothing takes no turn of the event loop.
    if (!(found instanceof Promise)) return void c.set("viewer", found ?? null);
    return async (next) => {
      c.set("viewer", (await found) ?? null);
      return next();
    };
  });

const tokenIn = (header: string): string | undefined =>
  SCHEME.test(header) ? header.slice(header.indexOf(" ") + 1) : undefined;

const named = (older: OlderCredential | undefined): Viewer | undefined =>
  older?.clientId === undefined
    ? undefined
    : { sessionId: NO_SESSION, clientId: older.clientId, userId: null };

/** Anybody, with a token or without. */
export const forAnyone = documented(ahead(settleFormat), { formatted: true });

const tokenOrName = (nameMay: "read" | "write") =>
  documented(
    step<TokenEnv>((c) => {
      const asking: Viewer | null = c.get("viewer");
      if (!asking) refuse(c);
      if (asking?.sessionId === NO_SESSION && nameMay === "read" && !isRead(c))
        unauthorized("A client_id alone is for reading; this needs an access token", true);
      settleFormat(c);
      return oncePerKey(c);
    }),
    { security: "token", responses: { 401: ErrorBody } },
  );

/** Any live token: an app's own or a user's. In the older dialect, to read, an app's client id. */
export const requireToken = tokenOrName("read");

/** As `requireToken`, where in the older dialect a client id does as well for what is written: it is nobody's. */
export const requireApp = tokenOrName("write");

/** A token that a user delegated. */
export const requireUser = documented(
  step<UserEnv>((c) => {
    const asking: Viewer | null = c.get("viewer");
    if (!asking) refuse(c);
    if (asking?.userId === null)
      unauthorized("This needs a user's access token; yours is of the client credentials flow", true);
    settleFormat(c);
    return oncePerKey(c);
  }),
  { security: "user", responses: { 401: ErrorBody } },
);

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
