import * as z from "zod";
import type { Database } from "../../db/client.ts";
import { linkedId } from "../../db/queries/links.ts";
import {
  listRemovals,
  type Post,
  REMOVAL_STATES,
  removePost,
  restorePost,
  showModeratedSet,
  showRemoval,
  upholdRemoval,
} from "../../db/queries/moderation-removals.ts";
import { meantSet } from "../../functions/api/moderation/references.ts";
import { REFUSALS } from "../../functions/api/moderation/refusals.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { withReason } from "./by.ts";
import type { Commands, Reply } from "./commands.ts";
import { trackOf, userOf } from "./moderation-commands.ts";
import { rowsIn } from "./rows.ts";

const State = z.enum(REMOVAL_STATES);

/** Comments, sets and pictures that operators remove, and the answers of their owners. */
export const removalCommands: Commands = {
  "comment remove": async ({ db }, given) =>
    remove(db, given, { kind: "comment", id: check(plainIdText, "comment", given.required("comment")) }),
  "set remove": async ({ db }, given) => remove(db, given, { kind: "playlist", id: await setOf(db, given) }),
  "picture remove": async ({ db }, given) =>
    remove(db, given, { kind: "picture", version: null, ...(await picturedBy(db, given)) }),

  async "removal list"({ db }, given) {
    const { from, limit } = rowsIn(given, "before");
    const state = check(State, "state", given.option("state") ?? "removed");
    return { removals: await listRemovals(db, "command line", state, { before: from, limit }) };
  },
  "removal show": async ({ db }, given) => shown(db, removalIn(given)),
  "removal restore": async ({ db }, given) => decide(db, given, restorePost),
  "removal uphold": async ({ db }, given) => decide(db, given, upholdRemoval),
};

const removalIn = (given: Invocation) => check(plainIdText, "removal", given.required("removal"));

async function remove(db: Database, given: Invocation, post: Post): Promise<Reply> {
  const removed = await removePost(db, withReason(given), post);
  return removed.outcome === "done" ? shown(db, removed.removal) : refuse(REFUSALS.post[removed.outcome]);
}

async function decide(db: Database, given: Invocation, act: typeof upholdRemoval): Promise<Reply> {
  const id = removalIn(given);
  const { outcome } = await act(db, withReason(given), id);
  return outcome === "done" ? shown(db, id) : refuse(REFUSALS.removal[outcome]);
}

const shown = async (db: Database, id: number): Promise<Reply> => ({
  ...((await showRemoval(db, "command line", id)) ?? refuse(`${REFUSALS.removal.unknown}. See removal list`)),
});

async function setOf(db: Database, given: Invocation): Promise<number> {
  const typed = given.required("set");
  const meant = meantSet(typed) ?? refuse("--set is an id, user/sets/set, or the address of its page");
  const set = await showModeratedSet(
    db,
    "command line",
    meant.id ?? linkedId({ kind: "playlist", ...meant }),
  );
  return set?.id ?? refuse(`There is no set ${typed}`);
}

async function picturedBy(
  db: Database,
  given: Invocation,
): Promise<{ of: "track" | "playlist" | "user"; id: number }> {
  if (given.option("track") !== undefined) return { of: "track", id: (await trackOf(db, given)).id };
  if (given.option("set") !== undefined) return { of: "playlist", id: await setOf(db, given) };
  return { of: "user", id: (await userOf(db, given)).id };
}

function refuse(message: string): never {
  throw new UsageError(message);
}
