import { deepStrictEqual, equal } from "node:assert";
import type { Sent } from "./loader.ts";

async function replyOf(port: number, { method = "GET", path = "/", headers }: Sent) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  return { status: reply.status, text: await reply.text() };
}

/**
 * Fails unless both servers answer each request alike: the same status, and in a 200 the same JSON in as many bytes. Only the
 * order of keys may differ, because Fastify's compiled JSON puts optional ones last.
 */
export async function checkSameReplies(ours: number, theirs: number, requests: Sent[]): Promise<void> {
  for (const request of requests) {
    const [mine, other] = [await replyOf(ours, request), await replyOf(theirs, request)];
    const asked = `${request.method ?? "GET"} ${request.path}`;
    equal(other.status, mine.status, asked);
    if (mine.status !== 200) continue;
    deepStrictEqual(JSON.parse(other.text), JSON.parse(mine.text), asked);
    equal(other.text.length, mine.text.length, asked);
  }
}
