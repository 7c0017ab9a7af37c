import type { Context } from "hono";
import { NotOperator } from "../../../db/faults.ts";
import { requireOperator } from "../../../db/queries/operator-accounts.ts";
import type { AppEnv, SignedInViewer } from "../../http/env.ts";
import { formToken, readOwnForm } from "../../site/form-guard.ts";
import { formPage } from "../../site/site-page.tsx";
import { siteViewer } from "../../site/viewer.ts";

/** The reader, if signed in. Statements check whether it is an operator, before they read a row. */
export function readerAsOperator(c: Context<AppEnv>): SignedInViewer {
  const viewer = siteViewer(c);
  if (!viewer) throw new NotOperator();
  return viewer;
}

/** Subject of the form that acts at a path: its token is good for no other act. */
const subjectOf = (action: string) => `operate ${action}`;

export const adminToken = (c: Context<AppEnv>, action: string): string => formToken(c, subjectOf(action));

/** Returns the fields of an operator's form, and who sent it. Others learn nothing, whatever they send. */
export async function readAdminForm(
  c: Context<AppEnv>,
  page: string,
): Promise<{ sent: Record<string, string>; viewer: SignedInViewer }> {
  const viewer = readerAsOperator(c);
  formPage(c, page);
  await requireOperator(c.var.db, viewer);
  return { viewer, sent: await readOwnForm(c, subjectOf(new URL(c.req.url).pathname)) };
}
