import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../../../db/client.ts";
import { openStorage } from "../../../db/objects/open.ts";
import { readServiceState } from "../../../db/queries/service-state.ts";
import type { Env } from "../../lib/http/env.ts";
import { notFound, unauthorized } from "../../lib/http/errors.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { deletedObjectsDays } from "../../lib/http/retention.ts";
import { Routes } from "../../lib/http/route.ts";
import { about } from "../../lib/text/fields.ts";
import { mayReadMetrics, OPEN_METRICS, renderMetrics } from "./metrics.ts";
import { brokenSecrets } from "./secrets.ts";
import { VERSION } from "./version.ts";

/** Milliseconds for all checks together. */
const BUDGET_MS = 1_000;

const Healthy = z
  .strictObject({
    status: z.literal("ok").meta(about("Always `ok`.", "ok")),
    version: z.string().meta(about("Semantic version of the service.", "0.1.0")),
  })
  .meta({ id: "Healthy" });
const Part = z.enum(["ok", "failing"]);
const Readiness = z
  .strictObject({
    status: Part.meta(about("`ok` if every part is.", "ok")),
    database: Part.meta(about("Whether the database answers.", "ok")),
    storage: Part.meta(about("Whether storage answers.", "ok")),
    secrets: Part.meta(about("Whether the service can read its keys.", "ok")),
  })
  .meta({ id: "Readiness" });

export const health = new Routes();

health.get(
  "/healthz",
  {
    operationId: "checkHealth",
    summary: "Is the process alive?",
    description: "Asks no other part of the service.",
    tag: "health",
    auth: "page",
    replies: { 200: Healthy },
  },
  (c) => c.json({ status: "ok", version: VERSION }, 200, { "Cache-Control": "no-store" }),
);

health.get(
  "/readyz",
  {
    operationId: "checkReadiness",
    summary: "Can requests be served?",
    description: "503 if database, storage or keys fail.",
    tag: "health",
    auth: "page",
    replies: { 200: Readiness, 503: Readiness },
  },
  async (c) => {
    const parts = await readiness(c.var.db, c.env);
    const ready = Object.values(parts).every((part) => part === "ok");
    return c.json({ status: ready ? "ok" : "failing", ...parts }, ready ? 200 : 503, {
      "Cache-Control": "no-store",
    });
  },
);

/** Operators' scrapers send `METRICS_TOKEN`. Without one the page does not exist. */
health.page("/metrics", async (c) => {
  const token = c.env.METRICS_TOKEN || notFound("Page");
  if (!mayReadMetrics(c.req.header("Authorization"), token))
    unauthorized("Send the header Authorization: Bearer <METRICS_TOKEN>", false);
  const state = await readServiceState(c.var.db, deletedObjectsDays(c.env)).catch((error: unknown) =>
    logLine("warn", "service_state_unread", describeError(error)),
  );
  return c.body(renderMetrics(state ?? undefined), 200, {
    "Content-Type": OPEN_METRICS,
    "Cache-Control": "no-store",
  });
});

async function readiness(db: Database, env: Env) {
  const storage = openStorage(env).objects;
  const [database, store, secrets] = await Promise.all([
    verdict(db.read(sql`select 1`)),
    verdict(storage.ready()),
    secretsVerdict(env),
  ]);
  return { database, storage: store, secrets } as const;
}

async function verdict(asked: Promise<unknown>): Promise<"ok" | "failing"> {
  const late = new Promise<"failing">((resolve) => setTimeout(() => resolve("failing"), BUDGET_MS));
  const answered = asked.then(
    () => "ok" as const,
    () => "failing" as const,
  );
  return Promise.race([answered, late]);
}

const loggedSecrets = new Set<string>();

/** Logs a failure once per isolate, because health is polled often. */
async function secretsVerdict(env: Env): Promise<"ok" | "failing"> {
  const secrets = await brokenSecrets(env);
  if (secrets.length && !loggedSecrets.has(secrets.join())) {
    loggedSecrets.add(secrets.join());
    logLine("error", "secrets_broken", { secrets });
  }
  return secrets.length ? "failing" : "ok";
}
