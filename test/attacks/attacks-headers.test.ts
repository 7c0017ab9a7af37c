import { beforeAll, expect, test } from "vitest";
import { authorizePath, type ConsentBrowser, createClientApp, createVisitor } from "../support/consent.ts";
import { endingReply } from "../support/ending-reply.ts";
import { type Operation, operations } from "../support/operations.ts";
import { createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";

/** Requests every operation and page in the ways that produce each kind of reply. */

interface Heard {
  asked: string;
  status: number;
  headers: Headers;
  text: string;
}

let all: Operation[];
let ana: Person;
let visitor: ConsentBrowser;
let pages: string[];
let exchanges: Heard[];
let toApp: Heard;

const hear = async (asked: string, reply: Response): Promise<Heard> => ({
  asked,
  status: reply.status,
  headers: reply.headers,
  text: await reply.text(),
});

async function ask(
  { method, template, path, requiredQuery, body }: Operation,
  value: string,
  headers: HeadersInit,
) {
  const sent = body(value);
  const reply = await fetch(stack.urls.api + path(value) + requiredQuery, {
    method,
    redirect: "manual",
    headers: { ...endingReply(template), ...headers, ...(sent && { "Content-Type": sent.type }) },
    ...(sent && { body: sent.text }),
  });
  return hear(`${method} ${template} (${value}) with ${Object.keys(headers)}`, reply);
}

beforeAll(async () => {
  const [app, { browser }] = [await createClientApp(), await createVisitor("artist")];
  [all, ana, visitor] = [await operations(), await createUser(), browser];
  pages = [
    "/",
    "/signin",
    "/signup",
    "/forgot",
    "/confirm",
    "/reset",
    "/settings",
    "/you/apps",
    "/docs",
    "/search",
    "/you/library",
    "/you/sources/1",
    "/session/token",
    `/${ana.username}`,
    "/nobody",
    "/nobody/nothing",
    "/apps/nothing",
    "/connect",
    "/authorize",
    authorizePath(app),
    authorizePath(app, { response_type: "token" }),
  ];
  exchanges = [];
  for (const each of all) {
    exchanges.push(await ask(each, "1", {}));
    exchanges.push(await ask(each, "1", { Authorization: "OAuth junk" }));
    for (const value of ["1", "abc'"]) {
      exchanges.push(await ask(each, value, { Authorization: `OAuth ${ana.token}` }));
    }
    const other = await fetch(stack.urls.api + each.path("1"), { method: "PATCH" });
    exchanges.push(await hear(`PATCH ${each.template}`, other));
  }
  const signIn = `${stack.urls.api}/signin?${new URLSearchParams({ next: authorizePath(app) })}`;
  toApp = await hear(
    "sign-in that leads to an app",
    await fetch(signIn, { headers: { Accept: "text/html" } }),
  );
  for (const path of pages) {
    for (const browser of [undefined, visitor]) {
      const headers = { Accept: "text/html", ...(browser?.cookie && { Cookie: browser.cookie }) };
      const reply = await fetch(stack.urls.api + path, { headers, redirect: "manual" });
      exchanges.push(await hear(`page ${path}`, reply));
    }
  }
});

const breaking = (rule: (one: Heard) => boolean, among = exchanges) =>
  among
    .filter((one) => !rule(one))
    .map(({ asked, status, headers }) => [asked, status, ...headers].join(" | "));

test("the replies are of many kinds", () => {
  const statuses = new Set(exchanges.map(({ status }) => status));
  for (const status of [200, 303, 400, 401, 404, 405, 422]) expect(statuses).toContain(status);
  expect(breaking(({ status }) => status < 500)).toEqual([]);
});

test.each([
  ["X-Content-Type-Options", /^nosniff$/],
  ["Referrer-Policy", /^no-referrer$/],
  ["Content-Security-Policy", /default-src 'none'.*frame-ancestors 'none'/],
  ["Vary", /Authorization/],
  ["X-Request-Id", /^[\w-]{8,64}$/],
])("every reply of every operation and page, refused or not, has %s (X101)", (name, value) => {
  expect(breaking(({ headers }) => value.test(headers.get(name) ?? ""))).toEqual([]);
});

const policyOf = ({ headers }: Heard) => headers.get("Cross-Origin-Resource-Policy");
const openerPolicy = ({ headers }: Heard) => headers.get("Cross-Origin-Opener-Policy");
const isKept = ({ headers }: Heard) => !headers.get("Cache-Control")?.includes("no-store");
const isShown = ({ headers }: Heard) => headers.get("Content-Type")?.startsWith("text/html") ?? false;
const isPage = ({ asked }: Heard) =>
  /^page |^\w+ \/(?:authorize|connect|oauth\/introspect)(?: |$)/.test(asked);

test("pages that no cache may keep cannot be loaded by other sites, everything else can", () => {
  const own = exchanges.filter((one) => isPage(one) && !isKept(one));
  expect(own.length).toBeGreaterThan(20);
  expect(breaking((one) => policyOf(one) === "same-origin", own)).toEqual([]);
  const open = exchanges.filter((one) => !isPage(one) || isKept(one));
  expect(breaking((one) => policyOf(one) === "cross-origin", open)).toEqual([]);
});

const OF_CONSENT = /^(?:page|[A-Z]+) \/(?:authorize|connect)\b/;

test("pages that no cache may keep separate from the window that opened them, except a pop-up on its way to an app", () => {
  const onTheWay = [toApp, ...exchanges.filter((one) => OF_CONSENT.test(one.asked) && isShown(one))];
  const shown = exchanges.filter((one) => isPage(one) && isShown(one) && !isKept(one));
  const apart = shown.filter((one) => !onTheWay.includes(one));
  expect(apart.length).toBeGreaterThan(15);
  expect(breaking((one) => openerPolicy(one) === "same-origin", apart)).toEqual([]);
  expect(onTheWay.length).toBeGreaterThan(3);
  expect(breaking((one) => openerPolicy(one) === "unsafe-none", onTheWay)).toEqual([]);
});

test("no reply reveals the server software (X101)", () => {
  for (const name of ["Server", "X-Powered-By", "Via"])
    expect(breaking(({ headers }) => !headers.has(name))).toEqual([]);
});

test("pages cannot be framed, and no policy allows inline scripts (X101)", () => {
  const shown = exchanges.filter(({ headers }) => headers.get("Content-Type")?.startsWith("text/html"));
  expect(shown.length).toBeGreaterThan(15);
  expect(breaking(({ headers }) => headers.get("X-Frame-Options") === "DENY", shown)).toEqual([]);
  expect(
    breaking(({ headers }) => !headers.get("Content-Security-Policy")?.includes("unsafe"), shown),
  ).toEqual([]);
});

test("a body matches its type, and the charset is stated if it could be guessed (X100)", () => {
  const named = exchanges.filter(({ text }) => text !== "");
  expect(
    breaking(({ headers, text }) => {
      const type = headers.get("Content-Type") ?? "";
      if (type.startsWith("application/json")) return isJson(text);
      return /^(text|application\/xml)/.test(type) ? /;\s*charset=utf-8/i.test(type) : type !== "";
    }, named),
  ).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

test("a reply to a token is private, and the next reader must present their own (X66)", async () => {
  const reads = all.filter(({ method, security }) => method === "GET" && security !== undefined);
  for (const each of reads) {
    const path = stack.urls.api + each.path("1");
    const mine = await fetch(path, { headers: { Authorization: `OAuth ${ana.token}` }, redirect: "manual" });
    const cacheControl = mine.headers.get("Cache-Control") ?? "";
    expect([each.template, cacheControl]).toEqual([each.template, expect.stringMatching(/private|no-store/)]);
    expect([each.template, (await fetch(path)).status]).toEqual([each.template, 401]);
  }
});

test("no reply contains a secret, a statement or a place in the code (X89, X93)", () => {
  const secrets = [...Object.values(stack.secrets), new URL(stack.databaseUrl).password, "postgres://"];
  const pieces = [
    ...secrets,
    "/functions/",
    "node_modules",
    "soundpost_app",
    "_v1(",
    "SQLSTATE",
    "\n    at ",
  ];
  for (const piece of pieces.filter((one) => one.length > 4))
    expect([piece, breaking(({ text, headers }) => ![text, ...headers].join().includes(piece))]).toEqual([
      piece,
      [],
    ]);
});

test.each([
  "/.git/config",
  "/.git/HEAD",
  "/.env",
  "/.dev.vars",
  "/wrangler.toml",
  "/package.json",
  "/main.js",
  "/main.js.map",
  "/index.js.map",
  "/static/main.js.map",
  "/.wrangler/state",
  "/__scheduled",
  "/cdn-cgi/mf/scheduled",
  "/cdn-cgi/handler/scheduled",
  "/server-status",
  "/debug",
  "/metrics",
  "/openapi.yaml",
  "/backup.sql",
])("404: %s does not exist (X93)", async (path) => {
  for (const Accept of ["*/*", "text/html"]) {
    const reply = await fetch(stack.urls.api + path, { headers: { Accept } });
    expect(reply.status).toBe(404);
    expect(await reply.text()).not.toMatch(/\[core\]|SIGNING_KEYS|"mappings"/);
  }
});
