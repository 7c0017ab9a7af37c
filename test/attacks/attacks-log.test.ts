import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Browser, createConfirmedMember, createMember, hiddenFields } from "../support/browser.ts";
import { authorizePath, createClientApp } from "../support/consent.ts";
import { type Operation, operations } from "../support/operations.ts";
import { stack, workerLog } from "../support/stack.ts";

/** One canary for each place that a client may write to, so that a leak names its source. */
const marks = new Set<string>();

function canary(place: string): string {
  const mark = `canary-${place.replace(/[^a-z]/gi, "")}-${randomBytes(4).toString("hex")}`;
  marks.add(mark);
  return mark;
}

/** Valid request ids are logged unchanged, by design. */
const headersFull = () => ({
  Cookie: `sid-${new URL(stack.urls.api).port}=ss_${canary("cookie").padEnd(43, "x")}; a=${canary("cookie")}`,
  "User-Agent": canary("useragent"),
  Referer: `https://x.example/${canary("referer")}?token=${canary("refererquery")}`,
  "X-Request-Id": `${canary("badrequestid")} not one`,
  "X-Forwarded-For": canary("forwarded"),
  "X-Api-Key": canary("apikey"),
  "Idempotency-Key": canary("idempotencykey"),
  "If-None-Match": `"${canary("etag")}"`,
  Range: `bytes=${canary("range")}`,
  Accept: `application/json; x=${canary("accept")}`,
});

const credentials = (): Record<string, string>[] => [
  { Authorization: `OAuth ${canary("oauth")}` },
  { Authorization: `Bearer ${canary("bearer")}` },
  {
    Authorization: `Basic ${Buffer.from(`${canary("basicid")}:${canary("basicsecret")}`).toString("base64")}`,
  },
  { Authorization: canary("scheme") },
  {},
];

async function ask(operation: Operation, token: string | undefined, authorization: Record<string, string>) {
  const { method, path, queryNames, body } = operation;
  const names = [
    ...queryNames,
    "access_token",
    "oauth_token",
    "client_id",
    "client_secret",
    "code",
    "secret_token",
  ];
  const query = new URLSearchParams(names.map((name) => [name, canary(`query${name}`)]));
  const sent = body(canary("body"));
  await fetch(`${stack.urls.api}${path(token ?? canary("path"))}?${query}`, {
    method,
    redirect: "manual",
    headers: { ...headersFull(), ...authorization, ...(sent && { "Content-Type": sent.type }) },
    ...(sent && { body: sent.text }),
  }).then((reply) => reply.text());
}

/** Operations asked at once, because some refusals wait on purpose. */
const AT_ONCE = 8;

const base64 = (text: string) => Buffer.from(text).toString("base64url");

/** Characters of an encoded canary that are compared. */
const ENCODED_CHARS = 20;

/** One pass: the log of a whole run is too long to search it for each canary. */
const ENCODED_CANARY = new RegExp(`${base64("canary-").slice(0, 9)}[\\w-]{${ENCODED_CHARS - 9}}`, "g");

async function sendForms(): Promise<void> {
  // Only a confirmed address can be changed.
  const { browser, email } = await createConfirmedMember();
  const forms = ["/signin", "/signup", "/forgot"].map((path) => [new Browser(), path, path] as const);
  const own = ["profile", "email", "password", "delete"].map(
    (name) => [browser, "/settings", `/settings/${name}`] as const,
  );
  for (const [who, page, action] of [...forms, ...own]) {
    const fields = { ...hiddenFields((await who.get(page)).html, action) };
    const names = [
      "username",
      "password",
      "new_password",
      "current_password",
      "website",
      "description",
      "next",
      "x",
    ];
    for (const name of names) fields[name] = canary(`form${name}`);
    await who.post(action, { ...fields, email: `${canary("formemail")}@example.com` });
    await who.post(action, { ...fields, form_token: canary("formtoken") });
  }
  // The right address with a wrong password, because users mistype passwords of other sites.
  const fresh = new Browser();
  const fields = hiddenFields((await fresh.get("/signin")).html, "/signin");
  await fresh.post("/signin", { ...fields, email, password: canary("typedpassword") });
  for (const path of ["/confirm", "/reset"]) await fresh.get(`${path}?token=${canary("mailtoken")}`);
}

async function authorizeWith(): Promise<void> {
  const app = await createClientApp();
  const { browser } = await createMember();
  for (const name of ["state", "scope", "redirect_uri", "code_challenge", "client_id", "login_hint"])
    await browser.get(authorizePath(app, { [name]: canary(name) }));
  const page = await browser.get(authorizePath(app, { state: canary("state") }));
  expect(page.status).toBe(200);
  await fetch(`${stack.urls.api}/${canary("pageuser")}/${canary("pagetrack")}/s-${canary("pagesecret")}`);
}

test("no canary from any header, query, path or body appears in a log (X91)", {
  timeout: 240_000,
}, async () => {
  const all = await operations();
  for (let at = 0; at < all.length; at += AT_ONCE)
    await Promise.all(
      all
        .slice(at, at + AT_ONCE)
        .flatMap((operation) => [
          ...credentials().map((authorization) => ask(operation, undefined, authorization)),
          ask(operation, "1", {}),
        ]),
    );
  await sendForms();
  await authorizeWith();
  const last = `last-${randomBytes(8).toString("hex")}`;
  await fetch(`${stack.urls.api}/healthz`, { headers: { "X-Request-Id": last } });
  await expect.poll(() => workerLog().some(({ request_id }) => request_id === last)).toBe(true);
  expect(marks.size).toBeGreaterThan(500);
  const encoded = new Set(Array.from(marks, (mark) => base64(mark).slice(0, ENCODED_CHARS)));
  const logs = join(stack.dataDir, "logs");
  for (const file of readdirSync(logs)) {
    const text = readFileSync(join(logs, file), "utf8");
    const leaked = new Set([...text.matchAll(/canary-[a-z]*-[0-9a-f]{8}/gi)].map(([mark]) => mark));
    expect([file, [...leaked].filter((mark) => marks.has(mark))]).toEqual([file, []]);
    const hidden = [...text.matchAll(ENCODED_CANARY)].filter(([start]) => encoded.has(start));
    expect([file, hidden]).toEqual([file, []]);
  }
});
