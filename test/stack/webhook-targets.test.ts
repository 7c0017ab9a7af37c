import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebhookDelivery, WebhookWithSecret } from "../../functions/api/webhooks/representation.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { makeFirstAccount } from "./first-account.support.ts";

/** Addresses of each name, as DNS over HTTPS returns them: A is 1, CNAME 5, AAAA 28. */
const NAMES: Record<string, { type: number; data: string }[]> = {
  "rebound.example": [{ type: 1, data: "127.0.0.1" }],
  "both.example": [
    { type: 1, data: "93.184.215.14" },
    { type: 28, data: "::1" },
  ],
  "alias.example": [
    { type: 5, data: "db.internal." },
    { type: 1, data: "10.0.0.5" },
  ],
  "metadata.example": [{ type: 1, data: "169.254.169.254" }],
  "nowhere.example": [],
};

/** Public for the check before a delivery, which asks for A and AAAA, and private for the call. */
const CHANGING = "changing.example";

const asked: string[] = [];
const dns = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "", "http://dns");
  const name = searchParams.get("name") ?? "";
  asked.push(name);
  if (name === "broken.example") return response.writeHead(500).end("<html>");
  const wanted = searchParams.get("type");
  const Answer = answersOf(name).filter(({ type }) => type === 5 || String(type) === wanted);
  response.setHeader("Content-Type", "application/dns-json");
  response.end(JSON.stringify({ Status: 0, ...(Answer.length && { Answer }) }));
});

function answersOf(name: string) {
  if (name !== CHANGING) return NAMES[name] ?? [];
  const times = asked.filter((one) => one === name).length;
  return [{ type: 1, data: times <= 2 ? "93.184.215.14" : "127.0.0.1" }];
}

/** A server on the private network. No connection may reach it. */
let visits = 0;
const inside = createServer((_request, response) => response.writeHead(204).end());
inside.on("connection", () => visits++);

const listen = (server: typeof dns) =>
  new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );

let stack: Stack;
let dataDir: string;
let token: string;
let insidePort: number;

/** Deployed settings: webhooks reach only public targets. */
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "soundpost-targets-"));
  insidePort = await listen(inside);
  await fillDataDir(dataDir);
  stack = await startStack({
    port: await freePorts(3),
    dataDir,
    log: () => {},
    env: { WEBHOOK_TARGETS: "public", DNS_URL: `http://127.0.0.1:${await listen(dns)}/dns-query` },
    crons: false,
    transcoders: 0,
  });
  ({ token } = await makeFirstAccount(stack));
});

afterAll(async () => {
  await stack?.stop();
  for (const server of [dns, inside]) server.close();
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
});

const call = (method: string, path: string, json?: unknown) =>
  fetch(path.startsWith("http") ? path : stack.urls.api + path, {
    method,
    headers: { Authorization: `OAuth ${token}`, "Content-Type": "application/json" },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });

const create = (url: string) => call("POST", "/me/webhooks", { url, events: ["like.created"] });

async function createWebhook(url: string): Promise<WebhookWithSecret> {
  const reply = await create(url);
  expect(reply.status).toBe(201);
  return (await reply.json()) as WebhookWithSecret;
}

/** Result of a test event handed to the consumer. */
async function attempted(webhook: WebhookWithSecret) {
  const { id } = (await (await call("POST", `${webhook.uri}/test`)).json()) as WebhookDelivery;
  const message = { id: randomUUID(), timestamp: new Date(), attempts: 1, body: { delivery: id } };
  await stack.worker.queue("webhooks", [message]);
  let latest: WebhookDelivery | undefined;
  // The queue itself may deliver first.
  await expect
    .poll(async () => {
      const log = (await (await call("GET", webhook.deliveries_uri)).json()) as WebhookDelivery[];
      latest = log.find((delivery) => delivery.id === id);
      return latest?.attempts.length;
    })
    .toBeGreaterThan(0);
  return latest?.attempts[0];
}

test("a target on a private network is refused by name, before any lookup (API7)", async () => {
  const { id } = await createWebhook("https://hooks.example/");
  const hosts = ["localhost", "127.1", "[::1]", "[::ffff:10.0.0.1]", "0xa9fea9fe", "a.internal", "intranet"];
  for (const url of [
    `http://127.0.0.1:${insidePort}/`,
    ...hosts.map((host) => `https://${host}:${insidePort}/x`),
  ]) {
    for (const reply of [await create(url), await call("PUT", `/me/webhooks/${id}`, { url })]) {
      const { errors } = (await reply.json()) as { errors: { error_message: string }[] };
      expect([url, reply.status, errors[0]?.error_message]).toEqual([
        url,
        422,
        expect.stringMatching(/^url: (is on a private network|must begin with https:\/\/)$/),
      ]);
    }
  }
  expect([asked, visits]).toEqual([[], 0]);
});

test.each([
  ["rebound.example", "private_target"],
  ["both.example", "private_target"],
  ["alias.example", "private_target"],
  ["metadata.example", "private_target"],
  ["nowhere.example", "unresolved"],
  ["unknown.example", "unresolved"],
  ["broken.example", "unresolved"],
])("a name is resolved right before each delivery: %s (API7)", async (name, failure) => {
  const webhook = await createWebhook(`https://${name}:${insidePort}/`);
  expect(await attempted(webhook)).toMatchObject({ response_code: null, failure });
  expect(asked).toContain(name);
  expect(visits).toBe(0);
});

test("a name that changes after the check leads nowhere private (API7)", async () => {
  const webhook = await createWebhook(`https://${CHANGING}:${insidePort}/`);
  expect(await attempted(webhook)).toMatchObject({ response_code: null, failure: "unreachable" });
  expect(asked.filter((name) => name === CHANGING).length).toBeGreaterThanOrEqual(4);
  expect(visits).toBe(0);
});

test("a target registered under an older rule is checked again before delivery (API7)", async () => {
  const webhook = await createWebhook("https://earlier.example/");
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  for (const url of [`http://127.0.0.1:${insidePort}/`, `https://[::1]:${insidePort}/`]) {
    await client.query("update webhooks set url = $2 where id = $1", [webhook.id, url]);
    expect(await attempted(webhook)).toMatchObject({ response_code: null, failure: "private_target" });
  }
  await client.end();
  expect(visits).toBe(0);
});
