import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Bench, Figure } from "./bench.ts";
import { EventListener } from "./event-listener.ts";
import { type Fan, fans } from "./fans.ts";
import { createPerson } from "./people.ts";
import { flac } from "./sources.ts";
import { withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const LIKES_A_SECOND = 100;
const SECONDS = 20;
/** Milliseconds from a like to its delivery, and to its line at `/me/events`. */
const TARGET_MS = 2_000;
/** Milliseconds to wait for the last delivery. */
const PATIENCE_MS = 30_000;

/** Nearest rank. */
const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

/** Row `webhooks`: from a like to its webhook and to the owner's stream of events, over the like's own reply. */
export async function webhooks(bench: Bench): Promise<Figure[]> {
  const seconds = bench.quick ? 5 : SECONDS;
  const budget = { WEBHOOK_DELIVERIES_PER_HOST_PER_MINUTE: "off" };
  const run = await withStack(
    bench,
    async (stack) => {
      const db = new pg.Client({ connectionString: stack.databaseUrl });
      await db.connect();
      try {
        const owner = await createPerson(stack);
        const { id } = await publish(owner, await flac(bench, 10));
        const crowd = await fans(stack, db, LIKES_A_SECOND * seconds);
        return await likesAndArrivals(stack.urls.api, await owner.token(), id, crowd);
      } finally {
        await db.end();
      }
    },
    undefined,
    budget,
  );
  const floor = p95(run.replyMs);
  return [
    { what: "a like's webhook", arrivedAt: run.delivered },
    { what: "a like's line at `/me/events`", arrivedAt: run.streamed },
  ].map(({ what, arrivedAt }) => {
    const delays = [...arrivedAt].map(([user, at]) => at - (run.sentAt.get(user) ?? Number.NaN));
    const ours = p95(delays);
    const missing = run.sentAt.size - arrivedAt.size;
    return {
      row: "webhooks",
      what: `${what}, p95 at ${LIKES_A_SECOND} a second`,
      unit: "ms" as const,
      over: "the like's reply",
      ours,
      floor,
      ratio: ours / floor,
      target: Number((TARGET_MS / floor).toFixed(2)),
      note: `${arrivedAt.size} arrived, ${missing} missing; the slowest after ${Math.round(Math.max(...delays))} ms`,
    };
  });
}

/** Sends likes evenly and notes when each is delivered, by the user who liked. */
async function likesAndArrivals(api: string, ownerToken: string, track: number, crowd: Fan[]) {
  const [sentAt, delivered, replyMs] = [new Map<number, number>(), new Map<number, number>(), [] as number[]];
  const events = await new EventListener().open(api, ownerToken);
  const streamed = events.arrivedAt;
  const receiver = createServer(async (request, response) => {
    const event = JSON.parse(await text(request)) as { data: { user: { id: number } } };
    delivered.set(event.data.user.id, performance.now());
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const ask = async (path: string, token: string, body?: object) => {
    const reply = await fetch(api + path, {
      method: "POST",
      headers: { Authorization: `OAuth ${token}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    await reply.arrayBuffer();
  };
  try {
    await ask("/me/webhooks", ownerToken, { url, events: ["like.created"] });
    const startedAt = performance.now();
    await Promise.all(
      crowd.map(async ({ userId, token }, turn) => {
        await sleep(Math.max(0, startedAt + (turn * 1000) / LIKES_A_SECOND - performance.now()));
        const at = performance.now();
        sentAt.set(userId, at);
        await ask(`/likes/tracks/${track}`, token);
        replyMs.push(performance.now() - at);
      }),
    );
    const patience = performance.now() + PATIENCE_MS;
    const arrived = () => Math.min(delivered.size, streamed.size);
    while (arrived() < crowd.length && performance.now() < patience) await sleep(100);
    return { sentAt, delivered, streamed, replyMs };
  } finally {
    events.close();
    receiver.close();
    receiver.closeAllConnections();
  }
}
