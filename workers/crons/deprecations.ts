import type { Database } from "../../db/client.ts";
import { queueDeprecationMails } from "../../db/queries/deprecations.ts";
import type { Notice } from "../../db/schema/deprecations.ts";
import { deprecationsAt, isEnding } from "../../functions/lib/http/deprecations.ts";
import type { Env } from "../../functions/lib/http/env.ts";

/** Apps per statement, and statements per run. The rest waits for the next. */
const APPS = 200;
const STATEMENTS = 20;

const DAY_MS = 86_400_000;

/** The mail that is due at this time, `undefined` after the end. */
export function noticeAt(ends: string, nowMs: number): Notice | undefined {
  const days = (Date.parse(ends) - nowMs) / DAY_MS;
  if (days <= 0) return undefined;
  if (days <= 7) return "week";
  return days <= 30 ? "month" : "announced";
}

/** Mails the owners of apps that use what ends. */
export async function mailDeprecations(db: Database, env: Env): Promise<void> {
  for (const { id, ends } of deprecationsAt(env).filter(isEnding)) {
    const notice = noticeAt(ends, Date.now());
    if (!notice) continue;
    for (let statement = 0; statement < STATEMENTS; statement++)
      if ((await queueDeprecationMails(db, { deprecation: id, notice }, APPS)) < APPS) break;
  }
}
