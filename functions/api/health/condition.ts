import type { Database } from "../../../db/client.ts";
import { openStorage } from "../../../db/objects/open.ts";
import { readServiceState, type ServiceState } from "../../../db/queries/service-state.ts";
import type { Condition, StatusPart } from "../../../db/queries/status-history.ts";
import type { Env } from "../../lib/http/env.ts";
import { deletedObjectsDays } from "../../lib/http/retention.ts";

/** A part of the service, as people see it. `waitS` is the age of its oldest pending item. */
export interface PartCondition {
  part: StatusPart;
  condition: Condition;
  waitS: number;
}

/** Seconds that an item may wait. `workers/alerts.yml` has the same limits, and a test compares them. */
export const LATE_S = { encoding: 300, webhooks: 120, posts: 600, mails: 600 } as const;

/** Milliseconds for all parts together. */
export const PATIENCE_MS = 2_000;

/** Checks database and storage concurrently, and waits no longer than a reader would. */
export async function readCondition(db: Database, env: Env): Promise<PartCondition[]> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const unless = <Answer>(asked: Promise<Answer>) =>
    Promise.race([
      asked.then(
        (answer) => ({ answer }),
        () => undefined,
      ),
      late,
    ]);
  const [state, storage] = await Promise.all([
    unless(readServiceState(db, deletedObjectsDays(env))),
    unless(openStorage(env).objects.ready()),
  ]);
  return [
    { part: "database", condition: state ? "works" : "fails", waitS: 0 },
    { part: "storage", condition: storage ? "works" : "fails", waitS: 0 },
    ...(state ? queuesOf(state.answer) : []),
  ];
}

const queuesOf = (state: ServiceState): PartCondition[] => [
  queue("encoding", state.job_waits_s),
  queue("webhooks", state.delivery_waits_s),
  queue("posts", state.post_waits_s),
  queue("mails", state.mail_waits_s),
];

const queue = (part: keyof typeof LATE_S, waitS: number): PartCondition => ({
  part,
  condition: waitS > LATE_S[part] ? "late" : "works",
  waitS,
});
