import type { BudgetLimit, OverBudget, Spent } from "../../../../db/queries/budgets.ts";
import type { Env } from "../env.ts";
import { logLine } from "../log.ts";
import { overLimit, type RateLimit, rateLimitHeaders } from "./rate-limit.ts";

type Setting = Extract<keyof Env, `${string}_PER_HOUR` | `${string}_PER_MINUTE`>;

interface Budget {
  /** Replaces `max`; `off` removes the limit. */
  setting: Setting;
  /** High enough that only scripts reach it. */
  max: number;
  /** The key by which requests are counted together. */
  bucket: "by-user-of-app" | "by-host" | "by-address";
}

/** All apps of one user together have this many times one app's budget, so that more apps are not more spam. */
const ALL_APPS = 2;

export const BUDGETS = {
  likes: { setting: "LIKES_PER_HOUR", max: 1_000, bucket: "by-user-of-app" },
  reposts: { setting: "REPOSTS_PER_HOUR", max: 300, bucket: "by-user-of-app" },
  follows: { setting: "FOLLOWS_PER_HOUR", max: 300, bucket: "by-user-of-app" },
  comments: { setting: "COMMENTS_PER_HOUR", max: 200, bucket: "by-user-of-app" },
  /** Counts changes that share a track with more people, each of whom is notified. */
  shares: { setting: "SHARES_PER_HOUR", max: 100, bucket: "by-user-of-app" },
  /** Counts users who are asked whether they are artists of a track. */
  credits: { setting: "CREDITS_PER_HOUR", max: 100, bucket: "by-user-of-app" },
  "playlist-edits": { setting: "PLAYLIST_EDITS_PER_HOUR", max: 1_000, bucket: "by-user-of-app" },
  /** Counted before the lookup, so that sign-up cannot reveal who has an account. */
  "sign-ups": { setting: "SIGN_UPS_PER_HOUR", max: 50, bucket: "by-address" },
  reports: { setting: "REPORTS_PER_HOUR", max: 20, bucket: "by-address" },
  /** Each app has budgets and token limits of its own. */
  "app-registrations": { setting: "APP_REGISTRATIONS_PER_HOUR", max: 30, bucket: "by-user-of-app" },
  /** Each has a feed read and a code mailed. */
  "podcast-imports": { setting: "PODCAST_IMPORTS_PER_HOUR", max: 10, bucket: "by-user-of-app" },
  "webhook-tests": { setting: "WEBHOOK_TESTS_PER_HOUR", max: 100, bucket: "by-user-of-app" },
  "webhook-replays": { setting: "WEBHOOK_REPLAYS_PER_HOUR", max: 1_000, bucket: "by-user-of-app" },
  /** An isolate asks the database once a second for each user who has streams. */
  "event-streams": { setting: "EVENT_STREAMS_PER_HOUR", max: 240, bucket: "by-user-of-app" },
  /**
   * Deliveries of all webhooks to one host, at most half of them about one user. A delivery over budget waits for the next
   * minute; none is lost.
   */
  "webhook-deliveries": { setting: "WEBHOOK_DELIVERIES_PER_HOST_PER_MINUTE", max: 600, bucket: "by-host" },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof BUDGETS;

export const BUDGET_SETTINGS: readonly Setting[] = Object.values(BUDGETS).map(({ setting }) => setting);

/** Returns the limit for a statement, or `null` if the operator removed it. */
export function budgetOf(env: Env, name: BudgetName): BudgetLimit | null {
  const { setting, max, bucket } = BUDGETS[name];
  const most = readSetting(setting, env[setting], max);
  if (most === null) return null;
  const limit = { name, max: most, window_s: windowOf(setting).seconds };
  return bucket === "by-user-of-app" ? { ...limit, all_apps: ALL_APPS * most } : limit;
}

const windowOf = (setting: Setting) =>
  setting.endsWith("_PER_MINUTE")
    ? { seconds: 60, iso: "PT1M", each: "a minute" }
    : { seconds: 3_600, iso: "PT1H", each: "an hour" };

const malformed = new Set<string>();

/** An unreadable setting must not remove the limit. */
function readSetting(name: Setting, given: string | undefined, max: number): number | null {
  if (given === undefined) return max;
  if (given === "off") return null;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  if (!malformed.has(name)) logLine("error", "budget_malformed", { setting: name, used: max });
  malformed.add(name);
  return max;
}

type Refusable = { spent?: Spent | null } | { outcome: string };

/** Sets the budget's headers and returns the reply, or throws 429 if the budget is used up. */
export function settleBudget<Reply extends Refusable>(
  c: { header(name: string, value: string): void },
  name: BudgetName,
  reply: Reply,
): Exclude<Reply, OverBudget> {
  // Repeating an existing like or follow counts nothing.
  const spent = "spent" in reply ? reply.spent : undefined;
  if (spent) setBudgetHeaders(c, name, spent);
  return reply as Exclude<Reply, OverBudget>;
}

function setBudgetHeaders(c: Parameters<typeof settleBudget>[0], name: BudgetName, spent: Spent): void {
  const { setting, bucket } = BUDGETS[name];
  const { seconds, iso, each } = windowOf(setting);
  const shared = spent.all_apps === true;
  const limit: RateLimit = {
    bucket: shared ? "by-user" : bucket,
    name: shared ? `${name}-by-all-apps` : name,
    max: spent.max,
    windowS: seconds,
    window: iso,
  };
  const by = shared ? " by all apps together" : "";
  if (spent.refused)
    overLimit(
      limit,
      `Too many ${name.replace("-", " ")}${by}: ${spent.max} ${each} are allowed`,
      spent.reset_s,
    );
  for (const [header, value] of Object.entries(rateLimitHeaders(limit, spent.remaining, spent.reset_s)))
    c.header(header, value);
}
