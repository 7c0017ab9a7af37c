import type { Context } from "hono";
import { NotOperator, SecondFactorNeeded } from "../../../db/faults.ts";
import type { By } from "../../../db/queries/operations.ts";
import { showOperatorEntry } from "../../../db/queries/operator-accounts.ts";
import type { AppEnv, SignedInViewer } from "../../http/env.ts";
import { invalid } from "../../http/errors.ts";
import { readOwnForm } from "../../site/form-guard.ts";
import { ownPath } from "../../site/next.ts";
import { formPage } from "../../site/site-page.tsx";
import { siteViewer } from "../../site/viewer.ts";
import { text } from "../../text/fields.ts";

/** The reader, if signed in. Statements check whether it is an operator, before they read a row. */
export function readerAsOperator(c: Context<AppEnv>): SignedInViewer {
  const viewer = siteViewer(c);
  if (!viewer) throw new NotOperator();
  return viewer;
}

/** Subject of the token that the acts of these pages share. */
export const OPERATE = "operate";

/** Characters. */
const MAX_REASON = 1_000;

const Reason = text(MAX_REASON);

/** An act that an operator sent. */
export interface Sent {
  by: By;
  /** The page whose form it was. */
  page: string;
  fields: Record<string, string>;
}

/**
 * Reads an operator's form. Others learn nothing, whatever they send. The act's own statement checks the session again,
 * because it may end in between.
 */
export async function readAct(c: Context<AppEnv>): Promise<Sent> {
  const viewer = readerAsOperator(c);
  const { state, username } = await showOperatorEntry(c.var.db, viewer);
  if (state !== "passed") throw new SecondFactorNeeded();
  formPage(c, "/admin");
  const fields = await readOwnForm(c, OPERATE);
  const page = formPage(c, adminPath(fields.page));
  const reason = Reason.safeParse(fields.reason ?? "");
  if (!reason.success) return invalid(`The reason ${reason.error.issues[0]?.message}`);
  const by = {
    actor: username,
    actor_id: viewer.userId,
    session: viewer.sessionId,
    reason: reason.data || null,
  };
  return { by, page, fields };
}

/** Returns the path if it leads to a page of operators, else the overview's. */
export function adminPath(asked: string | undefined): string {
  const next = ownPath(asked, "/admin");
  const { pathname } = new URL(next, "http://nowhere.invalid");
  return pathname === "/admin" || pathname.startsWith("/admin/") ? next : "/admin";
}

/** The id in the path of a form. */
export const idIn = (c: Context<AppEnv>): number => Number(c.req.param("id"));

/** Pattern of ids in paths. */
export const ID = ":id{[1-9][0-9]{0,15}}";

/** The place where a list goes on. */
export function beforeIn(c: Context<AppEnv>): number | null {
  const [cursor] = /^[1-9][0-9]{0,15}$/.exec(c.req.query("cursor") ?? "") ?? [];
  return cursor === undefined ? null : Number(cursor);
}
