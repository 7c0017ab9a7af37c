import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { accounts, apps, users } from "../schema/people.ts";
import type { NewName } from "./accounts.ts";
import { type By, noted } from "./acts.ts";
import { firstRow, onlyRow } from "./caller.ts";
import { linkedId } from "./links.ts";
import { idOf, type NamedUser } from "./moderation.ts";

/** Commands of operators. */

type Plan = typeof users.$inferSelect.plan;

interface NewUser extends NewName {
  email: string;
  password_hash: string;
  plan: Plan;
  confirmed: boolean;
}

/** The permalink, or the spare if another user has it. Without a spare the insert fails instead. */
const freePermalink = ({ permalink, spare }: NewName) => {
  const taken = sql`${linkedId({ kind: "user", permalink })} is not null`;
  return spare === null ? permalink : sql`case when ${taken} then ${spare} else ${permalink} end`;
};

/** Creates profile and account, and returns the id. A name or address that is taken raises 23505. */
export const createUser = (db: Database, by: By, user: NewUser): Promise<number> =>
  db
    .write((on) => {
      const { plan, confirmed } = user;
      const made = on.$with("made").as(
        on
          .insert(users)
          .values({
            username: user.username,
            usernameKey: user.username_key,
            lookAlikeKey: user.look_alike_key,
            permalink: freePermalink(user),
            plan,
          })
          .returning({ id: users.id, permalink: users.permalink }),
      );
      const account = on.$with("account").as(
        on
          .insert(accounts)
          .values({
            userId: sql`(select ${made.id} from ${made})`,
            email: user.email,
            passwordHash: user.password_hash,
            confirmedAt: confirmed ? sql`now()` : null,
          })
          .returning({ userId: accounts.userId }),
      );
      const target = { kind: "user", id: made.id, name: made.permalink };
      return on
        .with(made, account)
        .select({ id: made.id, noted: noted(by, "user.create", target, { plan, confirmed }) })
        .from(made);
    })
    .then((rows) => onlyRow(rows).id);

interface NewApp {
  owner: NamedUser;
  clientId: string;
  secretHash: string | null;
  name: string;
  permalink: string;
  redirectUris: string[];
  externalUrl: string | null;
}

/** Null if the owner does not exist. `plan` lets the caller refuse a free plan, and `id` is then null. */
export async function createApp(db: Database, by: By, app: NewApp) {
  const owner = await db
    .read((on) =>
      on
        .select({ id: users.id, permalink: users.permalink, plan: users.plan })
        .from(users)
        .where(eq(users.id, idOf(app.owner))),
    )
    .then(firstRow);
  if (!owner) return null;
  const { id: ownerId, permalink, plan } = owner;
  if (plan === "free") return { id: null, plan };
  const { clientId, secretHash, name, externalUrl, redirectUris } = app;
  const disabledAt = sql`(select u.disabled_at from ${users} u where u.id = ${ownerId})`;
  const rows = await db.write((on) => {
    const made = on.$with("made").as(
      on
        .insert(apps)
        .values({
          clientId,
          secretHash,
          ownerId,
          name,
          permalink: app.permalink,
          externalUrl,
          redirectUris,
          disabledAt,
        })
        .returning({ id: apps.id }),
    );
    const target = { kind: "app", id: made.id, name: clientId };
    return on
      .with(made)
      .select({ id: made.id, noted: noted(by, "app.create", target, { owner: permalink }) })
      .from(made);
  });
  return { id: onlyRow(rows).id, plan };
}

interface NewGrant {
  clientId: string;
  user: NamedUser | null;
  refreshHash: string;
  sessionTtlS: number;
  refreshTtlS: number;
}

/**
 * Creates a session with its first refresh token. Fields are null if the app or user does not exist or is disabled. A public
 * app gets none without a user.
 */
export const createGrant = (db: Database, by: By, grant: NewGrant) =>
  db
    .write((on) => {
      const { clientId, user, refreshHash, sessionTtlS, refreshTtlS } = grant;
      const isWhole = and(isNotNull(apps.id), isNotNull(user === null ? apps.secretHash : users.id));
      const opened = sql`open_session(${apps.id}, ${users.id}, '', ${refreshHash}, ${sessionTtlS}, ${refreshTtlS})`;
      const target = { kind: "app", id: apps.id, name: clientId };
      const written = noted(by, "token.create", target, sql`jsonb_build_object('user', ${users.permalink})`);
      return on
        .select({
          app: apps.id,
          user: users.id,
          session: sql<number | null>`case when ${isWhole} then ${opened} end`.mapWith(Number),
          noted: sql`case when ${isWhole} then ${written} end`,
        })
        .from(sql`(select) one`)
        .leftJoin(apps, and(eq(apps.clientId, clientId), isNull(apps.disabledAt)))
        .leftJoin(users, and(user ? eq(users.id, idOf(user)) : sql`false`, isNull(users.disabledAt)));
    })
    .then(onlyRow);
