import { sql } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import type { Database } from "../../db/client.ts";
import { openStorage } from "../../db/objects/open.ts";
import { operation } from "../http/contract.ts";
import type { AppEnv, Env } from "../http/env.ts";

/** Milliseconds that all parts together may take. */
const BUDGET_MS = 1_000;

const Healthy = z.strictObject({ status: z.literal("ok") }).meta({ id: "Healthy" });
const Part = z.enum(["ok", "failing"]);
const Readiness = z
  .strictObject({ status: Part, database: Part, storage: Part, secrets: Part })
  .meta({ id: "Readiness" });

export const health = new Hono<AppEnv>();

health.get("/healthz", operation("Is the process alive?", { 200: Healthy }, { tags: ["health"] }), (c) =>
  c.json({ status: "ok" }),
);

health.get(
  "/readyz",
  operation("Can requests be served?", { 200: Readiness, 503: Readiness }, { tags: ["health"] }),
  async (c) => {
    const parts = await readiness(c.var.db, c.env);
    const ready = Object.values(parts).every((part) => part === "ok");
    return c.json({ status: ready ? "ok" : "failing", ...parts }, ready ? 200 : 503, {
      "Cache-Control": "no-store",
    });
  },
);

async function readiness(db: Database, env: Env) {
  const storage = openStorage(env).objects;
  const [database, store] = await Promise.all([
    verdict(db.execute(sql`select 1`)),
    // Whether the object exists is no matter; that storage answers is.
    verdict(storage.head("media", "readyz")),
  ]);
  return { database, storage: store, secrets: secretsAreWhole(env) ? "ok" : "failing" } as const;
}

async function verdict(asked: Promise<unknown>): Promise<"ok" | "failing"> {
  const late = new Promise<"failing">((resolve) => setTimeout(() => resolve("failing"), BUDGET_MS));
  const answered = asked.then(
    () => "ok" as const,
    () => "failing" as const,
  );
  return Promise.race([answered, late]);
}

function secretsAreWhole(env: Env): boolean {
  const whole = (keys: string | undefined) =>
    !!keys && keys.split(",").every((key) => Buffer.from(key, "base64").length === 32);
  try {
    const { keys } = JSON.parse(env.JWT_KEYS) as { keys: { kid?: string; d?: string }[] };
    return (
      whole(env.SIGNING_KEYS) &&
      whole(env.SEAL_KEYS) &&
      keys.length > 0 &&
      keys.every(({ kid, d }) => kid && d)
    );
  } catch {
    return false;
  }
}
