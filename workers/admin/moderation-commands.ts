import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/client.ts";
import { listActs } from "../../db/queries/acts.ts";
import { COUNTED_KINDS, type CountedKind, findEndedRecount, recountSome } from "../../db/queries/counters.ts";
import {
  admitUser,
  beginRecount,
  changePlan,
  findModeratedUser,
  removeUser,
  restoreUser,
  searchUsers,
  showUser,
  signOutUser,
  suspendUser,
} from "../../db/queries/moderation.ts";
import { findModeratedApp, searchApps, startApp, stopApp } from "../../db/queries/moderation-apps.ts";
import { findReport, listReports, settleReport } from "../../db/queries/moderation-reports.ts";
import { putBackTrack, showTrack, takeDownTrack, uncreditTrack } from "../../db/queries/moderation-tracks.ts";
import { Note, Reason, ReportState } from "../../functions/api/moderation/input.ts";
import { meantTrack, meantUsers, namedUsers } from "../../functions/api/moderation/references.ts";
import { REFUSALS } from "../../functions/api/moderation/refusals.ts";
import { Plan } from "../../functions/api/users/account-input.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by, withReason } from "./by.ts";
import type { Commands, Reply } from "./commands.ts";
import { rowsIn } from "./rows.ts";

/** Milliseconds between checks whether another process's batch has ended. */
const RECOUNT_PAUSE_MS = 200;

export const moderationCommands: Commands = {
  async "user find"({ db }, given) {
    const page = rowsIn(given, "before");
    return {
      users: await searchUsers(db, "command line", given.option("words") ?? "", {
        ...page,
        before: page.from,
      }),
    };
  },
  "user show": async ({ db }, given) => ({ ...(await userOf(db, given)) }),
  async "user suspend"({ db }, given) {
    const { id } = await userOf(db, given);
    return userReply(db, id, await suspendUser(db, withReason(given), id));
  },
  async "user restore"({ db }, given) {
    const { id } = await userOf(db, given);
    return userReply(db, id, await restoreUser(db, by(given), id));
  },
  async "user delete"({ db }, given) {
    const { id } = await userOf(db, given);
    return userReply(db, id, await removeUser(db, withReason(given), id));
  },
  async "user sign-out"({ db }, given) {
    const { id } = await userOf(db, given);
    const act = await signOutUser(db, by(given), id);
    const user = await userReply(db, id, act);
    return { ...user, sessions_ended: "sessions" in act ? act.sessions : 0 };
  },
  async "user admit"({ db }, given) {
    const { id } = await userOf(db, given);
    return userReply(db, id, await admitUser(db, by(given), id));
  },
  async "user set-plan"({ db }, given) {
    const plan = check(Plan, "plan", given.required("plan"));
    const { id } = await userOf(db, given);
    return userReply(db, id, await changePlan(db, by(given), id, plan));
  },

  "track show": async ({ db }, given) => ({ ...(await trackOf(db, given)) }),
  async "track take-down"({ db }, given) {
    const { id } = await trackOf(db, given);
    return trackReply(
      db,
      id,
      await takeDownTrack(db, withReason(given), id),
      "The track is taken down already",
    );
  },
  async "track put-back"({ db }, given) {
    const { id } = await trackOf(db, given);
    return trackReply(db, id, await putBackTrack(db, by(given), id), "The track is not taken down");
  },
  async "track uncredit"({ db }, given) {
    const { id } = await trackOf(db, given);
    return trackReply(db, id, await uncreditTrack(db, withReason(given), id), "The track credits nobody");
  },

  async "report list"({ db }, given) {
    const state = given.option("state") ?? "open";
    const { from, limit } = rowsIn(given, "after");
    const asked = state === "all" ? null : check(ReportState, "state", state);
    return { reports: await listReports(db, "command line", asked, { before: from, limit }) };
  },
  "report resolve": async ({ db }, given) => settle(db, given, "resolved"),
  "report dismiss": async ({ db }, given) => settle(db, given, "dismissed"),
  "report reopen": async ({ db }, given) => settle(db, given, "open"),

  async "app find"({ db }, given) {
    const page = rowsIn(given, "before");
    return {
      apps: await searchApps(db, "command line", given.option("words") ?? "", { ...page, before: page.from }),
    };
  },
  async "app revoke"({ db }, given) {
    const text = given.option("message");
    const message = text === undefined ? null : check(Reason, "message", text);
    const act = await stopApp(db, withReason(given), given.required("app"), message);
    const app = await appReply(db, given, act.outcome);
    return { ...app, sessions_ended: "sessions" in act ? act.sessions : 0 };
  },
  async "app restore"({ db }, given) {
    const { outcome } = await startApp(db, by(given), given.required("app"));
    return appReply(db, given, outcome);
  },

  async "counters recount"({ db }, given) {
    await beginRecount(db, by(given));
    const reply: Reply = {};
    for (const kind of COUNTED_KINDS) {
      const { checked, repaired } = await recount(db, kind);
      reply[`${kind}s_checked`] = checked;
      reply[`${kind}s_repaired`] = repaired;
    }
    return reply;
  },

  async "audit list"({ db }, given) {
    const { from, limit } = rowsIn(given, "before");
    return { acts: await listActs(db, "command line", await targetOf(db, given), { before: from, limit }) };
  },
};

/** Runs a whole pass. If a sweep runs some or all of its batches, waits for them. */
async function recount(db: Database, kind: CountedKind): Promise<{ checked: number; repaired: number }> {
  for (;;) {
    const batch = await recountSome(db, kind);
    if (batch?.ended) return batch;
    const ended = batch ? undefined : await findEndedRecount(db, kind);
    if (ended) return ended;
    if (!batch) await sleep(RECOUNT_PAUSE_MS);
  }
}

/**
 * Finds the user of `--user` or `--username`. A username is never taken for an id, so it resolves what `--user`
 * leaves ambiguous.
 */
export async function userOf(db: Database, given: Invocation) {
  const name = given.option("user") === undefined ? given.option("username") : undefined;
  const typed = name ?? given.required("user");
  const meant = name === undefined ? meantUsers(typed) : namedUsers(name);
  const found = (await Promise.all(meant.map((one) => showUser(db, "command line", one)))).filter(
    (one) => one !== undefined,
  );
  const [user] = found;
  const other = found.find(({ id }) => id !== user?.id);
  if (user && other)
    refuse(
      `${typed} is ${user.permalink} (${user.id}) or ${other.permalink} (${other.id}): say which by --username or by the id`,
    );
  return user ?? refuse(`There is no user ${typed}. See user find`);
}

export async function trackOf(db: Database, given: Invocation) {
  const typed = given.required("track");
  const meant = meantTrack(typed) ?? refuse("--track is an id, user/track, or the address of its page");
  return (
    (await showTrack(db, "command line", meant)) ??
    refuse(`There is no track ${typed}: it takes an id, user/track, or the address of its page`)
  );
}

async function targetOf(db: Database, given: Invocation) {
  const user = given.option("user") ?? given.option("username");
  if (user && given.option("track")) refuse("Choose one of --user and --track");
  if (user) return { kind: "user", id: (await userOf(db, given)).id };
  if (given.option("track")) return { kind: "track", id: (await trackOf(db, given)).id };
  return { kind: null, id: null };
}

async function settle(db: Database, given: Invocation, state: "open" | "resolved" | "dismissed") {
  const id = check(plainIdText, "report", given.required("report"));
  const note = given.option("note");
  const words = note === undefined ? null : check(Note, "note", note);
  const outcome = await settleReport(db, by(given), id, state, words);
  if (outcome === "unknown") return refuse(`${REFUSALS.report.unknown}. See report list --state all`);
  return { ...(await findReport(db, "command line", id)) };
}

async function userReply(
  db: Database,
  id: number,
  { outcome }: { outcome: "done" | keyof typeof REFUSALS.user },
): Promise<Reply> {
  if (outcome !== "done") return refuse(REFUSALS.user[outcome]);
  return { ...(await findModeratedUser(db, "command line", id)) };
}

async function trackReply(
  db: Database,
  id: number,
  { outcome }: { outcome: "done" | "already" | "unknown" },
  already: string,
): Promise<Reply> {
  if (outcome !== "done") return refuse(outcome === "already" ? already : REFUSALS.track.unknown);
  return { ...(await showTrack(db, "command line", { id, owner: null, permalink: null })) };
}

async function appReply(
  db: Database,
  given: Invocation,
  outcome: "done" | "already" | keyof typeof REFUSALS.app,
): Promise<Reply> {
  if (outcome !== "done" && outcome !== "already") return refuse(`${REFUSALS.app[outcome]}. See app find`);
  return { ...(await findModeratedApp(db, "command line", given.required("app"))) };
}

function refuse(message: string): never {
  throw new UsageError(message);
}
