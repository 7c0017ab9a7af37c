import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { auditLog, userQuotas } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { QuotaRow } from "./people.ts";

/**
 * Acts of operators on users, and the audit log. Each act is one statement that also writes the log. Its `outcome` is
 * `done`, or says why nothing was done.
 */

/** The operator, and why: a session that passed the second factor, or a name at the command line. */
export type By = { reason: string | null } & (
  | { caller: { session: number; client: string; user: number } }
  | { actor: string }
);

/** By the id below which a list goes on, if it is not the first page. */
export interface Page {
  before: number | null;
  limit: number;
}

export const ModeratedUser = () =>
  rowOf(users)
    .pick({ id: true, username: true, permalink: true, plan: true })
    .extend({
      created_at: z.string(),
      /** Null once the user left. */
      email: z.string().nullable(),
      confirmed: z.boolean().nullable(),
      /** `leaving`: the account is gone, and its rows are being erased. */
      state: z.enum(["active", "suspended", "leaving"]),
      suspended_for: z.string().nullable(),
      suspended_at: z.string().nullable(),
    });
export type ModeratedUser = ReplyOf<typeof ModeratedUser>;

export const ShownUser = () =>
  ModeratedUser().extend({
    tracks: z.number(),
    taken_down: z.number(),
    playlists: z.number(),
    comments: z.number(),
    sessions: z.number(),
    apps: z.number(),
    open_reports: z.number(),
    quota: QuotaRow(),
    /** Limits in place of the plan's; -1 is none. Null without any. */
    own_quota: rowOf(userQuotas).pick({ seconds: true, bytes: true, tracks: true }).nullable(),
  });
export type ShownUser = ReplyOf<typeof ShownUser>;

/** Lists users whose id is `words`, or whose name, permalink or e-mail address contains them. Newest first. */
export const searchUsers = (db: Database, words: string, { before, limit }: Page) =>
  db.call("search_users", () => z.array(ModeratedUser()), { words, before, limit });

/** A user as operators name one. The first that is not null counts. */
export interface MeantUser {
  id: number | null;
  email: string | null;
  permalink: string | null;
  username_key: string | null;
  username: string | null;
}

export const showUser = (db: Database, meant: MeantUser) =>
  db.call("find_moderated_user", () => ShownUser().nullable(), { ...meant });

const UserAct = () =>
  changeOf(z.enum(["unknown", "active", "suspended", "leaving"]), { user: ModeratedUser() });
export type UserAct = ReplyOf<typeof UserAct>;

/** Suspending recounts the likes of all the user's tracks, and so do the two below. */
export const suspendUser = (db: Database, by: By & { reason: string }, user: number) =>
  db.callAtLength("suspend_user", UserAct, { by, user });

export const restoreUser = (db: Database, by: By, user: number) =>
  db.callAtLength("restore_user", UserAct, { by, user });

export const removeUser = (db: Database, by: By, user: number) =>
  db.callAtLength("remove_user", UserAct, { by, user });

export const changePlan = (db: Database, by: By, user: number, plan: ModeratedUser["plan"]) =>
  db.call("change_plan", UserAct, { by, user, plan });

/** May run long: what waits for the user's webhooks has failed. */
export const signOutUser = (db: Database, by: By, user: number) =>
  db.callAtLength(
    "sign_out_user",
    () => changeOf(z.literal("unknown"), { user: ModeratedUser(), sessions: z.number() }),
    { by, user },
  );

/** Makes the nightly recount due now. `recountSome` does the work. */
export const beginRecount = (db: Database, by: By) => db.call("begin_recount", () => z.literal(true), { by });

export const Act = () =>
  rowOf(auditLog).extend({ created_at: z.string(), details: z.record(z.string(), z.unknown()) });
export type Act = ReplyOf<typeof Act>;

/** Lists acts, newest first: all, those on one kind of target, or those on one target. */
export const listActs = (
  db: Database,
  target: { kind: string | null; id: number | null },
  { before, limit }: Page,
) => db.call("list_acts", () => z.array(Act()), { kind: target.kind, target: target.id, before, limit });
