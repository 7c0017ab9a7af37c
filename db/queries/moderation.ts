import { and, desc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { comments } from "../schema/comments.ts";
import { recounts } from "../schema/counters.ts";
import { sessions } from "../schema/grants.ts";
import { invitations } from "../schema/invitations.ts";
import { reports, suspensions, userQuotas } from "../schema/moderation.ts";
import { accounts, apps, users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { changeOf } from "../shape.ts";
import { selected } from "../stored-select.ts";
import { actsOn, type By, below, mayAct, mayRead, NEWEST, noted, type Operator, type Page } from "./acts.ts";
import { createdAt, firstRow, moment } from "./caller.ts";
import type { QuotaRow } from "./people.ts";
import { storedBytesOf } from "./stored-objects.ts";

/** Users, as operators see and change them. */

const moderated = {
  id: users.id,
  username: users.username,
  permalink: users.permalink,
  plan: users.plan,
  created_at: createdAt(users.id),
  /** Null once the user left. */
  email: accounts.email,
  confirmed: sql<boolean>`${accounts.confirmedAt} is not null`,
  /** Set while the user posts nothing, because the address is not confirmed. */
  awaits_confirmation: sql<boolean>`coalesce(${accounts.awaitsConfirmation}, false)`,
  /** `leaving`: the account is gone, and its rows are being erased. */
  state: sql<"active" | "suspended" | "leaving">`case when ${users.disabledAt} is null then 'active'
    when ${accounts.userId} is null then 'leaving' else 'suspended' end`,
  suspended_for: suspensions.reason,
  suspended_at: moment<string | null>(
    sql`case when ${accounts.userId} is not null then ${users.disabledAt} end`,
  ),
};

const moderatedUsers = (on: Reader) =>
  on
    .select(moderated)
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .leftJoin(suspensions, eq(suspensions.userId, users.id));

export type ModeratedUser = Awaited<ReturnType<typeof moderatedUsers>>[number];

/** A pattern for the lower case of a text that contains the words. */
export const containing = (words: string) => sql`lower(${`%${words.replace(/[\\%_]/g, "\\$&")}%`})`;

/** Lists users whose id is `words`, or whose name, permalink or e-mail address contains them. Newest first. */
export const searchUsers = (db: Database, operator: Operator, words: string, { before, limit }: Page) =>
  db.read((on) => {
    const part = containing(words);
    const names = [users.username, users.permalink, accounts.email].map(
      (name) => sql`lower(${name}) like ${part}`,
    );
    const matches = words === "" ? undefined : or(eq(sql`${users.id}::text`, words), ...names);
    return moderatedUsers(on)
      .where(and(mayRead(operator), below(users.id, before), matches))
      .orderBy(desc(users.id))
      .limit(limit);
  });

/** A user as commands name one: by id, permalink or username. */
export interface NamedUser {
  id: number | null;
  permalink: string | null;
  username_key: string | null;
  username: string | null;
}

/**
 * The id of the user. Null if there is none or the name is ambiguous: users rename themselves, so one user's
 * username may equal another's permalink or resemble another's name. An id is never ambiguous.
 */
export const idOf = ({ id, permalink, username_key, username }: NamedUser) => {
  // Reads all users.
  const byUsername = sql`union select u.id from ${users} u where u.username = ${username}`;
  return sql`(select case when count(*) = 1 then min(m.id) end from (
    select u.id from ${users} u
    where u.id = ${id} or lower(u.permalink) = ${permalink} or u.username_key = ${username_key}
    ${username === null ? undefined : byUsername}) m)`;
};

/** A user as operators name one. The first that is not null counts. */
export interface MeantUser extends NamedUser {
  email: string | null;
}

const isMeant = ({ id, email, ...name }: MeantUser): SQL => {
  if (id !== null) return eq(users.id, id);
  if (email !== null) return eq(sql`lower(${accounts.email})`, sql`lower(${email})`);
  return eq(users.id, idOf({ id, ...name }));
};

const belongings = (on: Reader) => ({
  avatar_version: users.avatarVersion,
  tracks: on.$count(tracks, eq(tracks.userId, users.id)),
  taken_down: on.$count(tracks, and(eq(tracks.userId, users.id), isNotNull(tracks.takenDownAt))),
  playlists: on.$count(playlists, eq(playlists.userId, users.id)),
  comments: on.$count(comments, eq(comments.userId, users.id)),
  sessions: on.$count(
    sessions,
    and(eq(sessions.userId, users.id), sql`${sessions.revokedAt} is null and ${sessions.expiresAt} > now()`),
  ),
  apps: on.$count(apps, eq(apps.ownerId, users.id)),
  open_reports: on.$count(
    reports,
    and(eq(reports.targetKind, "user"), eq(reports.targetId, users.id), eq(reports.state, "open")),
  ),
  /** The invitation by which the user came. Null for those who needed none. */
  invitation: sql<{ id: number; note: string | null } | null>`(
    select jsonb_build_object('id', ${invitations.id}, 'note', ${invitations.note})
    from ${invitations} where ${invitations.id} = ${accounts.invitationId})`,
  quota: sql<QuotaRow>`quota_of(${users.id})`,
  stored: storedBytesOf(sql`${users.id}`),
  /** Limits in place of the plan's; -1 means no limit. Null if the user has the plan's. */
  own_quota: sql<Record<"seconds" | "bytes" | "tracks", number | null> | null>`(
    select jsonb_build_object('seconds', ${userQuotas.seconds}, 'bytes', ${userQuotas.bytes}, 'tracks', ${userQuotas.tracks})
    from ${userQuotas} where ${userQuotas.userId} = ${users.id})`,
});

/** A user with account, suspension and related counts. */
const shownUser = (on: Reader, operator: Operator, meant: MeantUser) =>
  on
    .select({ ...moderated, ...belongings(on) })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .leftJoin(suspensions, eq(suspensions.userId, users.id))
    .where(and(mayRead(operator), isMeant(meant)));

export type ShownUser = Awaited<ReturnType<typeof shownUser>>[number];

export const showUser = (db: Database, operator: Operator, meant: MeantUser) =>
  db.read((on) => shownUser(on, operator, meant)).then(firstRow);

/** A user, and the newest acts on it. */
export async function showUserPage(db: Database, operator: Operator, id: number) {
  const meant: MeantUser = { id, email: null, permalink: null, username_key: null, username: null };
  const [[user], acts] = await db.readAll([
    selected(shownUser(db.drizzle, operator, meant)),
    selected(actsOn(db.drizzle, operator, { kind: "user", id }, NEWEST)),
  ]);
  return { user, acts };
}

/** The present state of a user on whom an operator acted. */
export const findModeratedUser = (db: Database, operator: Operator, id: number) =>
  db.read((on) => moderatedUsers(on).where(and(mayRead(operator), eq(users.id, id)))).then(firstRow);

const UserAct = () =>
  changeOf(z.enum(["unknown", "active", "suspended", "leaving"]), { sessions: z.number().nullable() });

const actOnUser = (db: Database, by: By, act: string, user: number) =>
  db.callAtLength("act_on_user", UserAct, { by, act, user });

/** Suspends a user. This and the next two functions recount the favorites of all the user's tracks. */
export const suspendUser = (db: Database, by: By & { reason: string }, user: number) =>
  actOnUser(db, by, "suspend", user);

export const restoreUser = (db: Database, by: By, user: number) => actOnUser(db, by, "restore", user);

export const removeUser = (db: Database, by: By, user: number) => actOnUser(db, by, "delete", user);

/** May run long, because the pending deliveries of the user's webhooks fail. */
export const signOutUser = (db: Database, by: By, user: number) => actOnUser(db, by, "sign-out", user);

/** Lets a user post whose address is not confirmed, such as where no mail arrives. */
export const admitUser = (db: Database, by: By, user: number) =>
  db.call("act_on_user", UserAct, { by, act: "admit", user });

export const changePlan = (db: Database, by: By, user: number, plan: ModeratedUser["plan"]) =>
  db.call("act_on_user", UserAct, { by, act: "plan", user, plan });

/** Makes the nightly recount due now. A pass under way goes on. `recountSome` does the work. */
export const beginRecount = (db: Database, by: By) =>
  db.write((on) => {
    const due = on.$with("due").as(
      on
        .update(recounts)
        .set({ begunAt: sql`'-infinity'` })
        .where(and(mayAct(by), sql`${recounts.afterId} is null`))
        .returning({ kind: recounts.kind }),
    );
    return on
      .with(due)
      .select({ noted: noted(by, "counters.recount", { kind: "counters", id: null, name: null }) })
      .from(sql`(select) one`);
  });
