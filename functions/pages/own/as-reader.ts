import type { Context } from "hono";
import { SessionEnded } from "../../../db/faults.ts";
import type { AppEnv, SignedInViewer } from "../../http/env.ts";
import { SignInNeeded } from "../../site/own-api.ts";
import { clearSiteViewer, siteViewer } from "../../site/viewer.ts";

/** Runs a statement as the signed-in reader. Without a live session, throws `SignInNeeded`. */
export async function asReader<Result>(
  c: Context<AppEnv>,
  run: (viewer: SignedInViewer) => Promise<Result>,
): Promise<Result> {
  const viewer = siteViewer(c);
  if (!viewer) throw new SignInNeeded();
  try {
    return await run(viewer);
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    clearSiteViewer(c);
    throw new SignInNeeded();
  }
}
