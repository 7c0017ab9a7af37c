import { expect, test } from "vitest";
import { asFront, stack } from "../../support/stack.ts";
import { fetchAt } from "../../web/site/three-hosts.ts";

const mail = JSON.stringify({ to: "ana@example.com", from: "us@example.com", subject: "Hello", text: "x" });
const { pathname: key } = new URL(".", stack.proxyUrl);

/** Each server for the Worker and the stack's own programs only, and a request that it would accept from them. */
test.each([
  ["the mailbox", stack.mailPort, "/messages", { method: "POST", body: mail }],
  ["the database's proxy", stack.ports.proxy, "/stats", {}],
  ["a transcoder", stack.ports.transcoder, "/healthz", {}],
  ["the Worker", stack.ports.worker, "/tracks", { headers: { "CF-Connecting-IP": "203.0.113.1" } }],
])("401: %s refuses other accounts of this machine", async (_what, port, path, asked) => {
  for (const guess of [path, `/guess${path}`, `//${path}`])
    expect((await fetchAt(port, `127.0.0.1:${port}`, guess, asked)).status).toBe(401);
});

test("421: those servers refuse foreign host names, even with the secret", async () => {
  for (const [port, path] of [
    [stack.mailPort, "messages"],
    [stack.ports.proxy, "stats"],
  ] as const)
    expect((await fetchAt(port, `rebound.example:${port}`, key + path)).status).toBe(421);
  expect((await fetchAt(stack.ports.proxy, "127.0.0.1", `${key}stats`)).status).toBe(200);
});

test("only the front states a client's address, and no client can pass for it", async () => {
  expect((await asFront("/healthz", {})).status).toBe(200);
  const forged = { headers: { "Soundpost-Front": "guess" } };
  expect((await fetch(`http://127.0.0.1:${stack.ports.worker}/healthz`, forged)).status).toBe(401);
  expect((await fetch(`${stack.urls.api}/healthz`, forged)).status).toBe(200);
});

test("421: developers' pages refuse foreign host names", async () => {
  for (const path of [
    "/dev/mail",
    "/dev/mail.json",
    "/dev/social/posts.json",
    "/dev/social/twitter/authorize",
  ]) {
    expect([path, (await fetchAt(stack.ports.front, "rebound.example", path)).status]).toEqual([path, 421]);
    expect([path, (await fetch(stack.urls.api + path)).status]).not.toEqual([path, 404]);
  }
});
