import type { Context } from "hono";
import { NotOperator, SecondFactorNeeded } from "../../../../db/faults.ts";
import type { By } from "../../../../db/queries/acts.ts";
import { requireOperator } from "../../../../db/queries/operator-accounts.ts";
import { Reason } from "../../../api/moderation/input.ts";
import type { AppEnv, SignedInViewer } from "../../../lib/http/env.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ownPath } from "../../../ui/next.ts";
import { siteViewer } from "../../../ui/viewer.ts";
import { placeIn } from "../rows/paging.tsx";

/** The signed-in reader. Statements check that it is an operator before they read a row. */
export function readerAsOperator(c: Context<AppEnv>): SignedInViewer {
  const viewer = siteViewer(c);
  if (!viewer) throw new NotOperator();
  return viewer;
}

/** Subject of the token that forms of these pages share. */
export const OPERATE = "operate";

/** An operator's submitted act. */
interface Sent {
  by: By;
  /** The operator, and the form's required reason. */
  withReason(): By & { reason: string };
  /** The page of the form. */
  page: string;
  fields: Record<string, string>;
}

/**
 * Reads an operator's form. Reveals nothing to others, whatever they send. The act's own statement checks the session
 * again, because it may end in between.
 */
export async function readAct(c: Context<AppEnv>): Promise<Sent> {
  const viewer = readerAsOperator(c);
  formPage(c, "/admin");
  const needed = await requireOperator(c.var.db, viewer).then(() => undefined, secondFactor);
  const fields = await readOwnForm(c, OPERATE);
  const page = formPage(c, adminPath(fields.page));
  // Thrown only now, so that the page for the code leads back to the form.
  if (needed) throw needed;
  const caller = { session: viewer.sessionId, client: viewer.clientId, user: viewer.userId };
  return {
    by: { caller, reason: fields.reason?.trim() ? reasonIn(fields) : null },
    withReason: () => ({ caller, reason: reasonIn(fields) }),
    page,
    fields,
  };
}

function secondFactor(error: unknown): SecondFactorNeeded {
  if (error instanceof SecondFactorNeeded) return error;
  throw error;
}

function reasonIn({ reason = "" }: Record<string, string>): string {
  const read = Reason.safeParse(reason);
  return read.success
    ? read.data
    : invalid(`The reason ${read.error.issues[0]?.message}. Nothing was changed.`);
}

/** Returns the path if it is an operators' page, otherwise the overview's. */
export function adminPath(asked: string | undefined): string {
  const next = ownPath(asked, "/admin");
  const { pathname } = new URL(next, "http://nowhere.invalid");
  return pathname === "/admin" || pathname.startsWith("/admin/") ? next : "/admin";
}

/** The id in a form's path. */
export const idIn = (c: Context<AppEnv>): number => Number(c.req.param("id"));

/**
 * The search text of a list. Cuts between characters, because half an emoji is no valid text; nor is a zero character.
 */
export const wordsIn = (c: Context<AppEnv>, max: number): string =>
  Array.from((c.req.query("q") ?? "").replaceAll("\0", "").trim())
    .slice(0, max)
    .join("");

/** The position where the page of a list begins. */
export const beforeIn = (c: Context<AppEnv>): number | null => placeIn(c) ?? null;
