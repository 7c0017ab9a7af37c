import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { WebhookEvent } from "../../../functions/api/webhooks/events.ts";
import type {
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from "../../../functions/api/webhooks/representation.ts";
import { listenForWorker } from "../../../workers/local/worker/loopback.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Replies to the n-th request, counted from 1. */
type Answer = (response: ServerResponse, nth: number) => void;

export const answering =
  (...statuses: number[]): Answer =>
  (response, nth) =>
    response.writeHead(statuses[nth - 1] ?? statuses.at(-1) ?? 204).end("thanks");

/** A real server that closes with the test. */
export async function startReceiver(answer: Answer = answering(204)) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const nth = received.push({ path: request.url ?? "", headers: request.headers, body });
    answer(response, nth);
  });
  const port = await listenForWorker(server);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}/hook`, received, close };
}

export const EVENTS = [
  "track.finished",
  "track.failed",
  "track.published",
  "comment.created",
  "like.created",
  "follow.created",
];

export async function createWebhook(who: Person, url: string, events = EVENTS): Promise<WebhookWithSecret> {
  const made = await api.as(who).post<WebhookWithSecret>("/me/webhooks", { json: { url, events } });
  expect(made.status).toBe(201);
  return made.body;
}

const TOLERANCE_S = 300;

/** Verifies the signature as Standard Webhooks prescribes. */
export function verified(secret: string, { headers, body }: Received): WebhookEvent {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures } = headers;
  expect(Math.abs(Date.now() / 1000 - Number(at))).toBeLessThan(TOLERANCE_S);
  expect(secret).toMatch(/^whsec_/);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest();
  const fits = String(signatures)
    .split(" ")
    .map((one) => one.split(","))
    .some(([version, mac = ""]) => {
      const given = Buffer.from(mac, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
  expect(fits).toBe(true);
  return WebhookEvent.parse(JSON.parse(body));
}

export const deliveriesOf = async (who: Person, { id }: { id: number }): Promise<WebhookDelivery[]> =>
  (await api.as(who).get<WebhookDelivery[]>(`/me/webhooks/${id}/deliveries`)).body;

/** A delivery in progress has no attempt in its log yet. */
export const expectDelivery = (who: Person, webhook: { id: number }, wanted: object) =>
  expect.poll(async () => (await deliveriesOf(who, webhook))[0]).toMatchObject(wanted);

/** Checks the first attempt, because further ones follow soon. */
export const expectFirstAttempt = (who: Person, webhook: { id: number }, wanted: object) =>
  expect.poll(async () => (await deliveriesOf(who, webhook))[0]?.attempts[0]).toMatchObject(wanted);

/** Makes the next attempt due. The cron would leave a new one to its own message for five seconds. */
export const makeDue = (id: number) =>
  sql(
    "update webhook_deliveries set next_attempt_at = now() - interval '1 minute', dispatched_at = null where id = $1 and state = 'pending'",
    [id],
  );

export const arrived = (received: Received[], count: number) =>
  expect.poll(() => received.length).toBe(count);

/** A user with a webhook. `follow` causes a delivery. */
export async function createListener(...[answer]: Parameters<typeof startReceiver>) {
  const [who, receiver] = [await createUser(), await startReceiver(answer)];
  const webhook = await createWebhook(who, receiver.url);
  const path = `/me/webhooks/${webhook.id}`;
  return {
    ...receiver,
    who,
    webhook,
    path,
    follow: async (follower?: Person) =>
      api.as(follower ?? (await createUser())).put(`/me/followings/${who.id}`),
    state: async () => (await api.as(who).get<Webhook>(path)).body,
    latest: async () => (await deliveriesOf(who, webhook))[0],
  };
}

/** A delivery that no cron sends. Tests hand its message over. */
export async function createRestingDelivery(webhook: { id: number }): Promise<number> {
  const [made] = await sql<{ id: number }>(
    `insert into webhook_deliveries (webhook_id, event, data, dispatched_at)
     select id, 'follow.created', jsonb_build_object('user', mini_user(user_id)), now() + interval '1 hour'
     from webhooks where id = $1 returning id::float8 as id`,
    [webhook.id],
  );
  return made?.id ?? 0;
}

export const pointer = (delivery: number) => ({ body: { delivery } });
