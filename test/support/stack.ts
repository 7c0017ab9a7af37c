import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { FRONT_HEADER } from "../../workers/front-secret.ts";
import type { StackRecord } from "../../workers/local/stack/record.ts";
import type { Secrets } from "../../workers/local/stack/secrets.ts";
import type { QueueOutcome } from "../../workers/local/worker/worker.ts";
import { poolOf } from "./database.ts";
import type { QueueBody } from "./stack-control.ts";

export type TestStack = Pick<
  StackRecord,
  "urls" | "ports" | "databaseUrl" | "appDatabaseUrl" | "proxyUrl"
> & {
  dataDir: string;
  secrets: Secrets;
  mailPort: number;
  controlUrl: string;
};

declare module "vitest" {
  interface ProvidedContext {
    stack: TestStack;
  }
}

/** The stack that the project's tests share. */
export const stack = inject("stack");

/** Requests at the Worker's own port, where a test names the client's address and country as the front does. */
export const asFront = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${stack.ports.worker}${path}`, {
    ...init,
    headers: { [FRONT_HEADER]: stack.secrets.TRANSCODER_SECRET, ...headers },
  });

async function control<T>(action: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`${stack.controlUrl}${action}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** Runs a cron of wrangler.toml now. The stack's own clock runs them too, except in the project `pg`. */
export const runCron = (cron: "* * * * *" | "*/5 * * * *" | "0 4 * * *") =>
  control<{ outcome: string }>("/scheduled", { cron });

/** The port of the Worker with three hosts that the project's files share. The first caller starts it. */
export const sharedThreeHosts = () => control<{ port: number }>("/three-hosts");

/** Hands messages straight to a queue's consumer and returns the outcome. Webhooks' attempts, which outlast it, have ended then. */
export async function deliver(name: string, messages: QueueBody[]): Promise<QueueOutcome> {
  if (name !== "webhooks") return control<QueueOutcome>("/queue", { name, messages });
  const before = await attemptsOf(messages);
  const outcome = await control<QueueOutcome>("/queue", { name, messages });
  while ((await attemptsOf(messages)).some((attempt) => !before.includes(attempt)))
    await new Promise((wake) => setTimeout(wake, 20));
  return outcome;
}

/** The attempts under way of the deliveries that messages point at. */
async function attemptsOf(messages: QueueBody[]): Promise<string[]> {
  const ids = messages
    .map(({ body }) => Number((body as { delivery?: unknown } | null)?.delivery))
    .filter(Number.isInteger);
  const rows = await sql<{ attempt: string }>(
    "select attempt from webhook_deliveries where id = any($1) and attempt is not null",
    [ids],
  );
  return rows.map(({ attempt }) => attempt);
}

/** Queries as the owner, for state that no endpoint shows. Statements that set something use `set local`. */
export async function sql<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(stack.databaseUrl).query<Row>(text, values)).rows;
}

/** PostgreSQL, appendix A: lock_not_available. */
const LOCK_TIMED_OUT = "55P03";

/**
 * Changes a shared table. Retries with a short lock timeout, because a waiting lock blocks everyone behind
 * it.
 */
export async function changeTable(ddl: string): Promise<void> {
  for (;;) {
    try {
      await sql(`set local lock_timeout = '200ms'; ${ddl}`);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_TIMED_OUT) throw error;
    }
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

export const workerLog = () => workerLogIn(stack.dataDir);

/** A program's log, which goes on in a new file at a certain size and at each midnight of UTC. */
export function logText(dataDir: string, program: "worker" | "postgres"): string {
  const files = readdirSync(join(dataDir, "logs")).filter((name) =>
    [`${program}.log.1`, `${program}.log`].includes(name),
  );
  const texts = files.sort().map((name) => readFileSync(join(dataDir, "logs", name), "utf8"));
  return texts.reverse().join("");
}

/** Lines of a Worker's structured log. Skips lines that are not JSON. */
export function workerLogIn(dataDir: string): Record<string, unknown>[] {
  return logText(dataDir, "worker")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}
