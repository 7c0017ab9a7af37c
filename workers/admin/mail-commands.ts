import * as z from "zod";
import { dropMails, listMails, retryMails } from "../../db/queries/mails.ts";
import { mails } from "../../db/schema/mails.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands } from "./commands.ts";

/** Number of mails that a list shows, newest first. */
const MOST = 500;

const State = z.enum(mails.state.enumValues);

/** Commands on mails that wait or failed. Their text is not shown. */
export const mailCommands: Commands = {
  "mail list": async ({ db }, given) => {
    const state = check(State.optional(), "state", given.option("state"));
    return { mails: await listMails(db, "command line", state, { before: null, limit: MOST }) };
  },

  "mail retry": async ({ db }, given) => {
    const id = idFrom(given);
    const due = await retryMails(db, by(given), id);
    if (id !== undefined && !due.length)
      throw new UsageError(
        `Mail ${id} is gone or being sent at this moment, or its link has expired. See mail list`,
      );
    return { due };
  },

  "mail drop": async ({ db }, given) => {
    const id = idFrom(given);
    const dropped = await dropMails(db, by(given), id);
    if (id !== undefined && !dropped)
      throw new UsageError(`There is no mail ${id}: it may have been sent or dropped. See mail list`);
    return { dropped };
  },
};

/** `undefined` means all mails that failed. */
function idFrom(given: Invocation): number | undefined {
  const text = given.option("id");
  return text === undefined ? undefined : check(plainIdText, "id", text);
}
