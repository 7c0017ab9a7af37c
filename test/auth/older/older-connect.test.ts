import { beforeAll, expect, test } from "vitest";
import {
  authorizePath,
  CHALLENGE,
  type ClientApp,
  ConsentBrowser,
  createClientApp,
  createVisitor,
  HTTPS_CALLBACK,
  linkToApp,
  type PageReply,
  VERIFIER,
} from "../../support/consent.ts";
import { stack } from "../../support/stack.ts";

let app: ClientApp;
let browser: ConsentBrowser;
let userId: number;

beforeAll(async () => {
  app = await createClientApp({
    redirectUris: [HTTPS_CALLBACK, "com.example.app://callback", "http://127.0.0.1/cb"],
  });
  const visitor = await createVisitor();
  browser = visitor.browser;
  userId = visitor.user.id;
});

const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

const connectPath = (changes: Record<string, string | undefined> = {}, of = app) =>
  authorizePath(of, { ...NO_PKCE, scope: "*", ...changes }).replace("/authorize", "/connect");

const fragmentOf = ({ location }: PageReply) => new URLSearchParams(location?.split("#")[1] ?? "");

function expectDeprecated(headers: Headers): void {
  expect(headers.get("Deprecation")).toMatch(/^@\d+$/);
  expect(Date.parse(headers.get("Sunset") ?? "")).toBeGreaterThan(Date.now());
  expect(headers.get("Link")).toContain('rel="deprecation"');
}

async function me(token: string | null): Promise<number | undefined> {
  const reply = await fetch(`${stack.urls.api}/me`, { headers: { Authorization: `OAuth ${token}` } });
  return ((await reply.json()) as { id?: number }).id;
}

const olderToken = async (form: Record<string, string>) => {
  const reply = await fetch(`${stack.urls.api}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret, ...form }),
  });
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as Record<string, unknown>,
  };
};

test("response_type=token returns the token in the fragment and nothing in the query (O111)", async () => {
  const shown = await browser.get(connectPath({ response_type: "token", state: "a b" }));
  expect(shown.status).toBe(200);
  expect(shown.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expectDeprecated(shown.headers);
  const reply = await browser.approve(connectPath({ response_type: "token", state: "a b" }));
  expect(reply.status).toBe(303);
  expectDeprecated(reply.headers);
  expect(reply.location?.startsWith(`${HTTPS_CALLBACK}#access_token=`)).toBe(true);
  const fragment = fragmentOf(reply);
  expect([...fragment.keys()]).toEqual(["access_token", "expires_in", "scope", "state"]);
  expect(Object.fromEntries(fragment)).toMatchObject({ expires_in: "3600", scope: "*", state: "a b" });
  expect(await me(fragment.get("access_token"))).toBe(userId);
});

test("the consent page is shown each time, and one form creates one token (O111)", async () => {
  const form = await browser.form(connectPath({ response_type: "token" }));
  const replies = await Promise.all([1, 2, 3].map(() => browser.submit(form, { decision: "approve" })));
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
  const ours = await createClientApp({ firstParty: true });
  await browser.approve(connectPath({ response_type: "token" }, ours));
  expect((await browser.get(connectPath({ response_type: "token" }, ours))).status).toBe(200);
});

test("errors of the token flow return in the fragment; a custom scheme never gets a token (O111)", async () => {
  const form = await browser.form(connectPath({ response_type: "token" }));
  const denied = await browser.submit(form, { decision: "deny" });
  expect(fragmentOf(denied).get("error")).toBe("access_denied");
  expect(denied.location).not.toContain("?");
  for (const response_type of ["token", "code_and_token"]) {
    const reply = await browser.get(
      connectPath({ response_type, redirect_uri: "com.example.app://callback" }),
    );
    expect(linkToApp(reply).address).toMatch(
      /^com\.example\.app:\/\/callback[?#]error=unsupported_response_type/,
    );
  }
});

test("errors of the token flow are in the fragment of the page's link, without a redirect", async () => {
  for (const asking of [browser, new ConsentBrowser()]) {
    const reply = await asking.get(connectPath({ response_type: "token", scope: "read" }));
    expect(reply.status).toBe(400);
    expect(linkToApp(reply).address).toMatch(/^https:\/\/client\.example\/cb#error=invalid_scope&/);
  }
});

test("code_and_token returns the code in the query and the token in the fragment, and both work", async () => {
  const reply = await browser.approve(connectPath({ response_type: "code_and_token" }));
  expect([...reply.parameters.keys()]).toEqual(["code", "state"]);
  expect(await me(fragmentOf(reply).get("access_token"))).toBe(userId);
  const { status, body } = await olderToken({
    grant_type: "authorization_code",
    redirect_uri: HTTPS_CALLBACK,
    code: reply.parameters.get("code") ?? "",
  });
  expect(status).toBe(200);
  expect(await me(String(body.access_token))).toBe(userId);
});

test.each([undefined, "", "*", "non-expiring"])("the scope %j counts as * (O114)", async (scope) => {
  const { parameters } = await browser.approve(
    connectPath({ scope, redirect_uri: "com.example.app://callback" }),
  );
  expect([...parameters.keys()]).toEqual(["code", "state"]);
  const { status, body, headers } = await olderToken({
    grant_type: "authorization_code",
    redirect_uri: "com.example.app://callback",
    code: parameters.get("code") ?? "",
    scope: "non-expiring",
  });
  expect([status, Object.keys(body), body.scope]).toEqual([200, ["access_token", "scope"], "*"]);
  expect(headers.get("Cache-Control")).toBe("no-store");
  expectDeprecated(headers);
});

test("another scope is reported to the app", async () => {
  const reply = await browser.get(connectPath({ scope: "read" }));
  expect([reply.status, linkToApp(reply).parameters.get("error")]).toEqual([400, "invalid_scope"]);
});

test("PKCE is optional but enforced after a challenge", async () => {
  const withChallenge = connectPath({ code_challenge: CHALLENGE, code_challenge_method: "S256" });
  const code = (await browser.approve(withChallenge)).parameters.get("code") ?? "";
  const form = { grant_type: "authorization_code", redirect_uri: HTTPS_CALLBACK, code };
  expect((await olderToken(form)).status).toBe(400);
  expect((await olderToken({ ...form, code_verifier: VERIFIER })).status).toBe(200);
  const plain = await browser.get(connectPath({ code_challenge: CHALLENGE, code_challenge_method: "plain" }));
  expect(linkToApp(plain).parameters.get("error")).toBe("invalid_request");
});

test("a verifier for a code without a challenge is refused (O47)", async () => {
  const code = (await browser.approve(connectPath())).parameters.get("code") ?? "";
  const form = { grant_type: "authorization_code", redirect_uri: HTTPS_CALLBACK, code };
  for (const path of ["/oauth/token", "/oauth2/token"]) {
    const reply = await fetch(stack.urls.api + path, {
      method: "POST",
      body: new URLSearchParams({
        ...form,
        client_id: app.client_id,
        client_secret: app.client_secret,
        code_verifier: VERIFIER,
      }),
    });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([
      400,
      "invalid_request",
    ]);
  }
});

test("a form of the current path is invalid here (O24)", async () => {
  const query = connectPath({ scope: undefined, code_challenge: CHALLENGE, code_challenge_method: "S256" });
  const form = await browser.form(query.replace("/connect", "/authorize"));
  const moved = { ...form, action: form.action.replace("/authorize", "/connect") };
  expect((await browser.submit(moved, { decision: "approve" })).status).toBe(403);
  expect((await browser.submit(form, { decision: "approve" })).status).toBe(303);
});

test("an invalid app or address gets a page, and signed-out users sign in first, as on the current path", async () => {
  expect((await browser.get(connectPath({ client_id: "x" }))).status).toBe(400);
  expect((await browser.get(connectPath({ redirect_uri: "https://evil.example" }))).location).toBeNull();
  expect((await new ConsentBrowser().get(connectPath())).location).toContain("/signin?next=%2Fconnect%3F");
  expect((await browser.get(connectPath({ display: "popup" }))).text).not.toContain("<nav");
});

test("on a host without the cookie, the browser is redirected to the sign-in host", async () => {
  const reply = await fetch(stack.urls.api.replace("localhost", "127.0.0.1") + connectPath(), {
    redirect: "manual",
  });
  expect(reply.status).toBe(303);
  expect(reply.headers.get("Location")).toBe(stack.urls.api + connectPath());
});

test("400: a public app asks at /authorize, because PKCE is optional here", async () => {
  const open = await createClientApp({ isPublic: true });
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
  for (const changes of [{}, pkce, { response_type: "token" }]) {
    const { status, location, text } = await browser.get(connectPath(changes, open));
    expect([status, location]).toEqual([400, null]);
    expect(text).toContain("a public app signs users in at /authorize, with PKCE");
    expect(text).not.toContain("<form");
  }
});
