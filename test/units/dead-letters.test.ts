import type { MessageBatch } from "@cloudflare/workers-types";
import { expect, test } from "vitest";
import type { Env } from "../../functions/lib/http/env.ts";
import { buryDeadLetters } from "../../workers/queues/dead-letters.ts";

test("a dead letter that the database cannot keep comes again after minutes", async () => {
  const fates: unknown[] = [];
  const message = (id: string) => ({
    id,
    body: { odd: true },
    attempts: 1,
    timestamp: new Date(),
    ack: () => fates.push([id, "ack"]),
    retry: (options: unknown) => fates.push([id, options]),
  });
  const messages = [message("one"), message("two")];
  const env = { DATABASE_URL: "postgres://a:b@127.0.0.1:1/gone", DATABASE_TRANSPORT: "pg" };
  await buryDeadLetters({ messages } as unknown as MessageBatch, env as unknown as Env);
  expect(fates).toEqual([
    ["one", { delaySeconds: 300 }],
    ["two", { delaySeconds: 300 }],
  ]);
});
