import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { SignInNeeded } from "../../../ui/own-api.ts";
import { siteViewer } from "../../../ui/viewer.ts";
import { showFeed } from "./feed.tsx";
import { showLanding } from "./landing.tsx";

/** Shows the feed to signed-in readers. With an ended session they see the visitors' page. */
export async function showHome(c: Context<AppEnv>): Promise<Response> {
  if (!siteViewer(c)) return showLanding(c);
  try {
    return await showFeed(c);
  } catch (error) {
    if (error instanceof SignInNeeded) return showLanding(c);
    throw error;
  }
}
