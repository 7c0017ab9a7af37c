import * as z from "zod";
import type { Database } from "../client.ts";
import type { users } from "../schema/people.ts";
import type { NewName } from "./accounts.ts";
import type { By } from "./moderation.ts";

/** Commands of operators, each one statement. */

type Plan = typeof users.$inferSelect.plan;

interface NewUser extends NewName {
  email: string;
  password_hash: string;
  plan: Plan;
  confirmed: boolean;
}

/** Creates profile and account. A name or address that is taken raises 23505. */
export const createUser = (db: Database, as: By, user: NewUser) =>
  db.call("create_user", () => z.strictObject({ id: z.number() }), { by: as, new: user });

/** A user as commands name one: by id, permalink or username. */
export interface NamedUser {
  id: number | null;
  permalink: string;
  username_key: string;
  username: string | null;
}

interface NewApp {
  owner: NamedUser;
  clientId: string;
  secretHash: string;
  name: string;
  permalink: string;
  redirectUris: string[];
  externalUrl: string | null;
}

/** Null if the owner does not exist. `plan` lets the caller refuse a free plan, and `id` is then null. */
export const createApp = (db: Database, as: By, app: NewApp) =>
  db.call("create_app", () => z.strictObject({ id: z.number().nullable(), plan: z.string() }).nullable(), {
    by: as,
    owner: app.owner,
    client: app.clientId,
    secret_hash: app.secretHash,
    name: app.name,
    permalink: app.permalink,
    external_url: app.externalUrl,
    redirect_uris: JSON.stringify(app.redirectUris),
  });

interface NewGrant {
  clientId: string;
  user: NamedUser | null;
  refreshHash: string;
  sessionTtlS: number;
  refreshTtlS: number;
}

/** Creates a session with its first refresh token. Fields are null if the app or user does not exist. */
export const createGrant = (db: Database, as: By, grant: NewGrant) =>
  db.call(
    "create_grant",
    () =>
      z.strictObject({
        session: z.number().nullable(),
        app: z.number().nullable(),
        user: z.number().nullable(),
      }),
    {
      by: as,
      client: grant.clientId,
      user: grant.user,
      refresh_hash: grant.refreshHash,
      session_ttl: grant.sessionTtlS,
      refresh_ttl: grant.refreshTtlS,
    },
  );
