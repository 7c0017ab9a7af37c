import { listVisibleIds } from "../../../../db/queries/set-queue.ts";
import { HttpError } from "../../../lib/errors/http-error.ts";
import { invalid, renderError } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { isId } from "../../../lib/text/fields.ts";
import { ACT } from "../../../ui/bar.tsx";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { ApiRefusal, asReader, SignInNeeded } from "../../../ui/own-api.ts";
import { createSet } from "./sets.tsx";

/** {web_url}: makes a set of the player's queue. Only its script sends this form. */
export const queueSet = new Routes({ renderError: (error, c) => renderError(asHttpError(error), c) });

function asHttpError(error: unknown): unknown {
  if (error instanceof ApiRefusal) return new HttpError(error.status, error.causes);
  return error instanceof SignInNeeded ? new HttpError(401, ["Sign in again to save the set"]) : error;
}

/** Tracks that a set holds at most. */
const MOST = 500;

queueSet.form("/you/sets/from-queue", async (c) => {
  const sent = await readOwnForm(c, ACT);
  const ids = (sent.tracks ?? "").split(",").filter((id) => isId(id));
  const wanted = [...new Set(ids.map(Number))].filter(Number.isSafeInteger).slice(0, MOST);
  // A set holds only tracks that its owner sees without a private link.
  const allowed = await asReader(c, (viewer) => listVisibleIds(c.var.db, viewer, wanted));
  const made = await createSet(
    c,
    { title: sent.title ?? "", sharing: "private" },
    allowed.map((id) => ({ id: String(id) })),
  );
  if (made instanceof ApiRefusal) return invalid(made.causes);
  const { pathname } = new URL(made.permalink_url);
  return c.json({ page: pathname, added: allowed.length, left: wanted.length - allowed.length });
});
