import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { consents } from "../schema/oauth.ts";
import { apps, siteSessions, users } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import { selected } from "../stored-select.ts";
import { type OpenAttempt, sessionLives } from "./accounts.ts";
import { appColumns, clientType } from "./apps.ts";
import { onlyRow } from "./caller.ts";
import { authenticated, type Client, type ClientRefusal, Issued } from "./oauth.ts";

/** `app` is `undefined` if unknown or disabled, `user` if nobody is signed in. */
export async function findAuthorization(db: Database, clientId: string, siteSessionHash: string | undefined) {
  const on = db.drizzle;
  const consent = on
    .select({ scope: consents.scope })
    .from(consents)
    .innerJoin(apps, eq(apps.id, consents.appId))
    .where(and(eq(consents.userId, users.id), eq(apps.clientId, clientId)));
  const [[app], [user]] = await db.readAll([
    selected(
      on
        .select({
          ...appColumns,
          client_type: clientType,
          redirect_uris: apps.redirectUris,
          first_party: apps.firstParty,
        })
        .from(apps)
        .innerJoin(users, eq(users.id, apps.ownerId))
        .where(and(eq(apps.clientId, clientId), isNull(apps.disabledAt))),
    ),
    selected(
      on
        .select({
          id: users.id,
          username: users.username,
          disabled: sql<boolean>`${users.disabledAt} is not null`,
          /** Null if the user never allowed this app anything. */
          consented_scope: sql<string | null>`${consent}`,
        })
        .from(siteSessions)
        .innerJoin(users, eq(users.id, siteSessions.userId))
        // No session has the hash "".
        .where(sessionLives(siteSessionHash ?? "")),
    ),
  ]);
  return { app, user };
}

type Authorization = Awaited<ReturnType<typeof findAuthorization>>;
export type AuthorizingApp = NonNullable<Authorization["app"]>;
export type AuthorizingUser = NonNullable<Authorization["user"]>;

interface Decision {
  clientId: string;
  siteSessionHash: string;
  /** Registered URIs, any of which allows `redirectUri`. */
  registrations: string[];
  approved: boolean;
  /** Id of the consent form. A second code for it is refused. */
  nonce: string;
  codeHash: string;
  codeTtlS: number;
  redirectUri: string;
  codeChallenge: string | null;
  scope: string;
  /** Lifetime of a token of the older implicit grant. */
  tokenTtlS: number | null;
  wantsCode: boolean;
}

const DecisionOutcome = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("approved"),
      user: z.number(),
      session: z.number().nullable(),
    }),
    z.strictObject({
      outcome: z.enum(["denied", "signed_out", "unknown_app", "replayed"]),
    }),
  ]);
type DecisionOutcome = ReplyOf<typeof DecisionOutcome>;

/** Recognizes its own repetition by the code's hash. */
export async function decideAuthorization(db: Database, decision: Decision): Promise<DecisionOutcome> {
  const { clientId, siteSessionHash, registrations, approved, nonce, codeHash, codeTtlS } = decision;
  const { redirectUri, codeChallenge, scope, tokenTtlS, wantsCode } = decision;
  return db.call(
    "decide_authorization",
    DecisionOutcome,
    {
      client: clientId,
      site_session: siteSessionHash,
      registrations: JSON.stringify(registrations),
      approved,
      nonce,
      code_hash: codeHash,
      code_ttl: codeTtlS,
      redirect_uri: redirectUri,
      challenge: codeChallenge,
      scope,
      token_ttl: tokenTtlS,
      wants_code: wantsCode,
    },
    "repeatable",
  );
}

/** Begins the older password grant. Counts the attempt, as `beginSignIn` does. */
export const beginPasswordGrant = (db: Database, client: Client, login: string) =>
  db
    .write((on) => {
      const asking = authenticated(on, client);
      const begun = sql<ClientRefusal | OpenAttempt>`begin_sign_in(${login}, ${client.address}, null)`;
      return on
        .with(asking)
        .select({ begun: sql<ClientRefusal | OpenAttempt>`coalesce(${asking.refusal}, ${begun})` })
        .from(asking);
    })
    .then((rows) => onlyRow(rows).begun);

/** Issues tokens after the password matched, and withdraws the counted attempt. */
export const grantByPassword = (
  db: Database,
  clientId: string,
  verified: { user: number; seenHash: string; attempt: string },
  { scope, ttlS }: { scope: string; ttlS: number },
) =>
  db.call(
    "password_grant",
    () => z.union([Issued(), z.strictObject({ outcome: z.literal("invalid_grant") })]),
    {
      client: clientId,
      user: verified.user,
      seen_hash: verified.seenHash,
      attempt: verified.attempt,
      scope,
      ttl: ttlS,
    },
  );
