import { expect, test } from "vitest";
import { serviceDocument } from "../../../workers/build/api-document.ts";
import { authorizePath, createClientApp, createVisitor, type PageReply } from "../../support/consent.ts";

function expectPageHeaders({ headers }: PageReply): void {
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("X-Frame-Options")).toBe("DENY");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
}

test("every page forbids framing, caching and reads by other origins (O25, X68)", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const from = { Origin: "https://evil.example" };
  for (const [reply, status] of [
    [await browser.get(authorizePath(app), from), 200],
    [await browser.get(authorizePath(app, { client_id: "x" }), from), 400],
    [await browser.get(authorizePath(app, { response_type: "x" }), from), 400],
    [await browser.post(authorizePath(app), {}, from), 403],
    [await browser.send("PUT", authorizePath(app)), 405],
  ] as const) {
    expect(reply.status).toBe(status);
    expectPageHeaders(reply);
  }
});

test.each([
  ["https://client.example/cb", "https:"],
  ["https://client.example:8443/cb?x=1", "https:"],
  ["http://127.0.0.1/cb", "http:"],
  ["http://[::1]/cb", "http:"],
  ["com.example.app:/cb", "com.example.app:"],
  ["org.example.my-app://callback", "org.example.my-app:"],
])("the policy allows the form's redirect to %s (O26)", async (redirectUri, source) => {
  const app = await createClientApp({ redirectUris: [redirectUri] });
  const { browser } = await createVisitor();
  const { headers } = await browser.get(authorizePath(app));
  expect(headers.get("Content-Security-Policy")).toMatch(
    new RegExp(`form-action 'self' ${source.replaceAll(".", "\\.")}(?:;|$)`),
  );
});

test("the page has its own forms alone: no search, no menus, no player", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const consent = await browser.get(authorizePath(app));
  const refusal = await browser.get(authorizePath(app, { client_id: "unknown" }));
  expect([consent.status, refusal.status]).toEqual([200, 400]);
  for (const [{ text, headers }, forms, policy] of [
    [consent, 2, "form-action 'self' https:"],
    [refusal, 0, "form-action 'none'"],
  ] as const) {
    expect(text.match(/<form/g) ?? []).toHaveLength(forms);
    expect(text).not.toMatch(/<search|<nav|class="(?:menu|deck|bottom-bar)"|shell\.client/);
    expect(text).toContain('class="brand"');
    expect(headers.get("Content-Security-Policy")?.split("; ")).toContain(policy);
  }
});

test.each(["HEAD", "PUT", "DELETE", "PATCH"])("the page refuses %s (O27)", async (method) => {
  const app = await createClientApp({ firstParty: true });
  const { browser } = await createVisitor();
  await browser.approve(authorizePath(app));
  const reply = await browser.send(method, authorizePath(app));
  expect(reply.status).toBe(405);
  expect(reply.headers.get("Allow")).toBe("GET, POST");
  expect(reply.location).toBeNull();
});

test("the page names the app, the user and the redirect host as text (O35)", async () => {
  const name = `<script>alert(1)</script>"'&`;
  const app = await createClientApp({ name });
  const { user, browser } = await createVisitor();
  const { text } = await browser.get(authorizePath(app));
  expect(text).not.toContain("<script>alert");
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  expect(text).toContain(app.owner.username);
  expect(text).toContain(user.username);
  expect(text).toContain("client.example");
});

/** The page's sentence for each write that an app may make, by the pattern of its paths. */
const POWERS: [path: RegExp, words: RegExp][] = [
  [/^\/me$|\/web-profiles$|^\/me\/permalink/, /change your profile, its address, your name and your links/],
  [/^\/uploads|^\/me\/podcast-imports/, /upload, import, .*tracks/],
  [/^\/(?:me\/tracks|tracks)(?!.*(?:comments|shared-to))/, /publish, change, .*delete tracks/],
  [/^\/releases/, /release them together/],
  [/^\/playlists/, /publish, change, .*delete playlists and podcasts/],
  [/^\/me\/credits/, /in your name, and accept and decline credits on tracks of others/],
  [/\/shared-to\//, /share .*tracks/],
  [/^\/likes\/|\/favorites\//, /like, .*in your name/],
  [/^\/reposts\//, /repost, .*in your name/],
  [/\/comments/, /comment .*in your name/],
  [/\/followings\//, /follow in your name/],
  [/^\/me\/connections/, /your connections to other services/],
  [/^\/me\/webhooks/, /report activity on your account/],
  [/^\/me\/apps/, /register apps in your name/],
];

test("the page lists everything that the app will be able to change", async () => {
  const { paths } = await serviceDocument<{
    paths: Record<string, Record<string, { security?: { user?: string[] }[] }>>;
  }>();
  const { browser } = await createVisitor();
  const app = await createClientApp();
  const saidFor = async (scope: string) => {
    const [, list = ""] =
      /<h2>It will be able to<\/h2><ul[^>]*>(.*?)<\/ul>/.exec(
        (await browser.get(authorizePath(app, { scope }))).text,
      ) ?? [];
    return list;
  };
  const said = await saidFor("");
  const writes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { security }]) => method !== "get" && security?.length === 1 && security[0]?.user)
      .map(([method, { security }]) => ({ method, path, scope: security?.[0]?.user?.[0] ?? "" })),
  );
  expect(writes.length).toBeGreaterThan(40);
  for (const { method, path, scope } of writes) {
    const [, words] = POWERS.find(([pattern]) => pattern.test(path)) ?? [];
    expect(words && said, `${method} ${path}`).toMatch(words ?? /./);
    expect(words && (await saidFor(scope)), `${method} ${path} of ${scope}`).toMatch(words ?? /./);
  }
});

test("the page and the decision are one statement each", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const statements = async (ask: () => Promise<PageReply>) => {
    const timing = (await ask()).headers.get("Server-Timing") ?? "";
    return Number(/queries: (\d+)/.exec(timing)?.[1] ?? 0);
  };
  const form = await browser.form(authorizePath(app));
  expect(await statements(() => browser.get(authorizePath(app)))).toBe(1);
  expect(await statements(() => browser.submit(form, { decision: "approve" }))).toBe(1);
  expect(await statements(() => browser.get(authorizePath(app, { client_id: "é" })))).toBe(0);
});
