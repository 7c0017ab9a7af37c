import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/client.ts";
import { COUNTED_KINDS, type CountedKind, findEndedRecount, recountSome } from "../../db/queries/counters.ts";
import {
  beginRecount,
  changePlan,
  listActs,
  removeUser,
  restoreUser,
  searchUsers,
  showUser,
  signOutUser,
  suspendUser,
  type UserAct,
} from "../../db/queries/moderation.ts";
import { searchApps, startApp, stopApp } from "../../db/queries/moderation-apps.ts";
import { listReports, settleReport } from "../../db/queries/moderation-reports.ts";
import { putBackTrack, showTrack, type TrackAct, takeDownTrack } from "../../db/queries/moderation-tracks.ts";
import { Note, ReportState } from "../../functions/moderation/input.ts";
import { meantTrack, meantUsers, namedUsers } from "../../functions/moderation/references.ts";
import { REFUSALS } from "../../functions/moderation/refusals.ts";
import { plainIdText } from "../../functions/text/fields.ts";
import { Plan } from "../../functions/users/account-input.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by, reasonOf } from "./by.ts";
import type { Commands, Reply } from "./commands.ts";
import { rowsIn } from "./rows.ts";

/** Milliseconds between looks at another's batch. */
const RECOUNT_PAUSE_MS = 200;

export const moderationCommands: Commands = {
  async "user find"({ db }, given) {
    const page = rowsIn(given, "before");
    return { users: await searchUsers(db, given.option("words") ?? "", { ...page, before: page.from }) };
  },
  "user show": async ({ db }, given) => ({ ...(await userOf(db, given)) }),
  async "user suspend"({ db }, given) {
    const { id } = await userOf(db, given);
    return userReply(await suspendUser(db, withReason(given), id));
  },
  async "user restore"({ db }, given) {
    return userReply(await restoreUser(db, by(given), (await userOf(db, given)).id));
  },
  async "user delete"({ db }, given) {
    const { id } = await userOf(db, given);
    return userReply(await removeUser(db, withReason(given), id));
  },
  async "user sign-out"({ db }, given) {
    const act = await signOutUser(db, by(given), (await userOf(db, given)).id);
    if (act.outcome !== "done") return refuse(REFUSALS.user[act.outcome]);
    return { ...act.user, sessions_ended: act.sessions };
  },
  async "user set-plan"({ db }, given) {
    const plan = check(Plan, "plan", given.required("plan"));
    return userReply(await changePlan(db, by(given), (await userOf(db, given)).id, plan));
  },

  "track show": async ({ db }, given) => ({ ...(await trackOf(db, given)) }),
  async "track take-down"({ db }, given) {
    const { id } = await trackOf(db, given);
    return trackReply(await takeDownTrack(db, withReason(given), id));
  },
  async "track put-back"({ db }, given) {
    return trackReply(await putBackTrack(db, by(given), (await trackOf(db, given)).id));
  },

  async "report list"({ db }, given) {
    const state = given.option("state") ?? "open";
    const { from, limit } = rowsIn(given, "after");
    const asked = state === "all" ? null : check(ReportState, "state", state);
    return { reports: await listReports(db, asked, { after: from, limit }) };
  },
  "report resolve": async ({ db }, given) => settle(db, given, "resolved"),
  "report dismiss": async ({ db }, given) => settle(db, given, "dismissed"),
  "report reopen": async ({ db }, given) => settle(db, given, "open"),

  async "app find"({ db }, given) {
    const page = rowsIn(given, "before");
    return { apps: await searchApps(db, given.option("words") ?? "", { ...page, before: page.from }) };
  },
  async "app revoke"({ db }, given) {
    const act = await stopApp(db, withReason(given), given.required("app"));
    if (!("app" in act)) return refuse(`${REFUSALS.app[act.outcome]}. See app find`);
    return { ...act.app, sessions_ended: "sessions" in act ? act.sessions : 0 };
  },
  async "app restore"({ db }, given) {
    const act = await startApp(db, by(given), given.required("app"));
    if (!("app" in act)) return refuse(`${REFUSALS.app[act.outcome]}. See app find`);
    return { ...act.app };
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
    return { acts: await listActs(db, await targetOf(db, given), { before: from, limit }) };
  },
};

/** Runs a whole pass. A sweep may run some of its batches, or all, and is waited for. */
async function recount(db: Database, kind: CountedKind): Promise<{ checked: number; repaired: number }> {
  for (;;) {
    const batch = await recountSome(db, kind);
    if (batch?.ended) return batch;
    const ended = batch ? undefined : await findEndedRecount(db, kind);
    if (ended) return ended;
    if (!batch) await sleep(RECOUNT_PAUSE_MS);
  }
}

const withReason = (given: Invocation) => ({ ...by(given), reason: reasonOf(given) });

/** Finds who `--user` or `--username` means. The second is never an id, so it can tell apart whom the first confuses. */
export async function userOf(db: Database, given: Invocation) {
  const name = given.option("user") === undefined ? given.option("username") : undefined;
  const typed = name ?? given.required("user");
  const meant = name === undefined ? meantUsers(typed) : namedUsers(name);
  const found = (await Promise.all(meant.map((one) => showUser(db, one)))).filter((one) => one !== null);
  const [user] = found;
  const other = found.find(({ id }) => id !== user?.id);
  if (user && other)
    refuse(
      `${typed} is ${user.permalink} (${user.id}) or ${other.permalink} (${other.id}): say which by --username or by the id`,
    );
  return user ?? refuse(`There is no user ${typed}. See user find`);
}

async function trackOf(db: Database, given: Invocation) {
  const typed = given.required("track");
  const meant = meantTrack(typed) ?? refuse("--track is an id, user/track, or the address of its page");
  return (
    (await showTrack(db, meant)) ??
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
  const act = await settleReport(
    db,
    by(given),
    id,
    state,
    note === undefined ? null : check(Note, "note", note),
  );
  if (act.outcome === "unknown") return refuse(`${REFUSALS.report.unknown}. See report list --state all`);
  return { ...act.report };
}

function userReply(act: UserAct): Reply {
  if (act.outcome !== "done") return refuse(REFUSALS.user[act.outcome]);
  return { ...act.user };
}

function trackReply(act: TrackAct): Reply {
  if (act.outcome === "unknown") return refuse(REFUSALS.track.unknown);
  return { ...act.track };
}

function refuse(message: string): never {
  throw new UsageError(message);
}
