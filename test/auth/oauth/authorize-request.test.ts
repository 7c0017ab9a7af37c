import { beforeAll, expect, test } from "vitest";
import {
  authorizePath,
  CHALLENGE,
  type ClientApp,
  type ConsentBrowser,
  createClientApp,
  createVisitor,
  HTTPS_CALLBACK,
  linkToApp,
  type PageReply,
} from "../../support/consent.ts";
import { stack } from "../../support/stack.ts";

let app: ClientApp;
let browser: ConsentBrowser;

beforeAll(async () => {
  app = await createClientApp({
    redirectUris: [
      HTTPS_CALLBACK,
      "http://127.0.0.1/cb",
      "http://[::1]/cb",
      "http://localhost:4000/exact",
      "http://127.0.0.1:4000/fixed",
      "http://[::1]:4000/fixed",
    ],
  });
  browser = (await createVisitor()).browser;
});

/** Expects a page of our own without a redirect. */
function expectPage(reply: PageReply, status = 400): void {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(reply.location).toBeNull();
}

/** Expects a page with a link to the app, followed only by a click. */
function expectTold(reply: PageReply, error: string): URLSearchParams {
  expectPage(reply);
  const { address, parameters } = linkToApp(reply);
  expect(address.startsWith(`${HTTPS_CALLBACK}?error=`), address).toBe(true);
  expect(parameters.get("error")).toBe(error);
  return parameters;
}

const ask = (changes: Record<string, string | undefined>) => browser.get(authorizePath(app, changes));
const askWith = (more: string) => browser.get(`${authorizePath(app)}&${more}`);

test.each([undefined, "", "unknown", "a".repeat(500), "\0", "é", "' or 1=1 --"])(
  "the client id %j gets a page, never a redirect (O4)",
  async (client_id) => expectPage(await ask({ client_id })),
);

test("a repeated client id or redirect URI gets a page, never a redirect (O4, O7, O17)", async () => {
  expectPage(await askWith(`client_id=${app.client_id}`));
  expectPage(await askWith("redirect_uri=https://evil.example/"));
  expectPage(await askWith(`redirect_uri=${encodeURIComponent(HTTPS_CALLBACK)}`));
});

test.each([
  undefined,
  "",
  "https://client.example/cb/",
  "https://client.example/CB",
  "https://client.example/cb?x=1",
  "https://client.example/%63b",
  "https://client.example%2fcb",
  "https://client.example/a/../cb",
  "https://client.example:444/cb",
  "https://client.example:443/cb",
  "https://client.example@evil.example/cb",
  "https://evil.example@client.example/cb",
  "https://client.example.evil.example/cb",
  "https://client.example./cb",
  "https://client.example/cb ",
  " https://client.example/cb",
  "https://сlient.example/cb",
  "https:/\\client.example/cb",
  "https:\\\\client.example\\cb",
  "//client.example/cb",
  "/cb",
  "HTTPS://client.example/cb",
  "https://CLIENT.example/cb",
  "https://client.example/cb#x",
  "https://client.example/cb\0",
  "https://client.example/cb\r\nX: y",
  "javascript:alert(1)",
  "http://client.example/cb",
])("the redirect URI %j gets a page, never a redirect (O5, O6, X51)", async (redirect_uri) =>
  expectPage(await ask({ redirect_uri })),
);

test("the page shows the refused address as text (O6)", async () => {
  const reply = await ask({ redirect_uri: 'https://evil.example/"><script>alert(1)</script>' });
  expectPage(reply);
  expect(reply.text).not.toContain("<script>alert");
  expect(reply.text).toContain("&lt;script&gt;alert");
});

test.each([
  ["http://127.0.0.1:51004/cb", 200],
  ["http://[::1]:51004/cb", 200],
  ["http://127.0.0.1/cb", 200],
  ["http://127.0.0.1:4000/fixed", 200],
  ["http://127.0.0.1:4001/fixed", 200],
  ["http://127.0.0.1/fixed", 200],
  ["http://[::1]:65535/fixed", 200],
  ["http://127.0.0.1:4001/fixed/", 400],
  ["http://localhost:4000/exact", 200],
  ["http://localhost:4001/exact", 400],
  ["http://127.0.0.1:4000/exact", 400],
  ["http://127.0.0.1:51004/other", 400],
  ["http://localhost:51004/cb", 400],
  ["http://127.0.0.2:51004/cb", 400],
  ["http://127.0.0.1:51004@evil.example/cb", 400],
  ["http://127.0.0.1:510040000/cb", 400],
  ["https://127.0.0.1:51004/cb", 400],
])("the loopback address %s: %i (O8)", async (redirect_uri, status) => {
  expect((await ask({ redirect_uri })).status).toBe(status);
});

test("the response is appended to the requested URI byte for byte (O8, O9, O10)", async () => {
  const native = await createClientApp({
    redirectUris: [
      "com.example.app:/cb",
      "https://client.example/cb?x=1",
      "http://127.0.0.1/cb",
      "http://[::1]:4000/cb",
      "myapp://callback",
      "https://client.example",
    ],
  });
  for (const [redirect_uri, start] of [
    ["com.example.app:/cb", "com.example.app:/cb?code="],
    ["https://client.example/cb?x=1", "https://client.example/cb?x=1&code="],
    ["http://127.0.0.1:51004/cb", "http://127.0.0.1:51004/cb?code="],
    ["http://[::1]:51004/cb", "http://[::1]:51004/cb?code="],
    ["myapp://callback", "myapp://callback?code="],
    ["https://client.example", "https://client.example?code="],
  ] as const) {
    const { location } = await browser.approve(authorizePath(native, { redirect_uri }));
    expect(location?.startsWith(start), location ?? "").toBe(true);
  }
});

test("a missing response_type is reported to the app with the state (O12)", async () => {
  const errorParameters = expectTold(await ask({ response_type: undefined }), "invalid_request");
  expect([errorParameters.get("state"), errorParameters.get("iss")]).toEqual(["st", stack.urls.api]);
});

test.each(["token", "id_token", "code token", "code_and_token", "toString", "CODE"])(
  "the response type %j is reported to the app in the query (O13)",
  async (response_type) => {
    const reply = await ask({ response_type });
    expectTold(reply, "unsupported_response_type");
    expect(linkToApp(reply).address).not.toContain("#");
  },
);

test("a missing challenge is reported to the app, naming PKCE (O14)", async () => {
  const reply = await ask({ code_challenge: undefined, code_challenge_method: undefined });
  expect(expectTold(reply, "invalid_request").get("error_description")).toContain("PKCE");
  expect(reply.text).toContain("PKCE");
});

test.each([undefined, "", "plain", "s256", "S512"])(
  "the challenge method %j is reported to the app (O15)",
  async (code_challenge_method) => void expectTold(await ask({ code_challenge_method }), "invalid_request"),
);

test.each([
  CHALLENGE.slice(1),
  "a".repeat(129),
  `${CHALLENGE.slice(1)}+`,
  `${CHALLENGE.slice(1)}=`,
  `${CHALLENGE}=`,
])("the challenge %j is reported to the app (O16)", async (code_challenge) => {
  expectTold(await ask({ code_challenge }), "invalid_request");
});

test.each([
  "scope=a&scope=b",
  "scope=&scope=",
  "code_challenge=x",
  "code_challenge_method=S256",
  "response_type=code",
  "display=popup&display=popup",
])("repeated parameters, as %s, are reported to the app with the state (O17)", async (more) => {
  expect(expectTold(await askWith(more), "invalid_request").get("state")).toBe("st");
});

test("a repeated or missing state is omitted (O17, O20)", async () => {
  const twice = expectTold(await askWith("state=other"), "invalid_request");
  expect(twice.has("state")).toBe(false);
  const approved = await browser.approve(authorizePath(app, { state: undefined }));
  expect([...approved.parameters.keys()]).toEqual(["code", "iss"]);
  expect((await browser.approve(authorizePath(app, { state: "" }))).parameters.has("state")).toBe(false);
});

test("unknown and empty parameters count as absent (O18)", async () => {
  expect((await askWith("nonce=x&prompt=none&prompt=login&request=y")).status).toBe(200);
  expect((await ask({ scope: "", display: "" })).status).toBe(200);
});

test.each([
  "x",
  "s".repeat(2000),
  "!*'();:@&=+$,/?#[] %41",
  "\r\nSet-Cookie:x=1",
  "\"'<>\\`",
  "ü€😀",
  "\0\t",
  "a+b",
  "%0d%0a",
])("the state %j returns unchanged (O19, X51)", async (state) => {
  const refused = await ask({ state, response_type: "token" });
  const approved = await browser.approve(authorizePath(app, { state }));
  expect([refused.status, approved.status]).toEqual([400, 303]);
  expect(linkToApp(refused).parameters.get("state")).toBe(state);
  expect(approved.parameters.get("state")).toBe(state);
  for (const { headers } of [refused, approved]) expect(headers.get("Set-Cookie")).toBeNull();
});

test("a state that is too long or not text gets a page (O19)", async () => {
  expectPage(await ask({ state: "s".repeat(4001) }));
  expect((await ask({ state: "s".repeat(4000) })).status).toBe(200);
  expectPage(await browser.get(`${authorizePath(app, { state: undefined })}&state=%ff%fe`));
});

test.each(["non-expiring", "Read", "openid profile", "read,tracks", "constructor"])(
  "the scope %j is reported to the app (O21)",
  async (scope) => void expectTold(await ask({ scope }), "invalid_scope"),
);

test("display=popup shows the same form on a small page; other values are ignored (O22)", async () => {
  const popup = await ask({ display: "popup" });
  const ordinary = await ask({});
  expect([popup.status, ordinary.status]).toEqual([200, 200]);
  const wayOut = '<a class="brand"';
  expect(popup.text).not.toContain(wayOut);
  expect(ordinary.text).toContain(wayOut);
  expect((await ask({ display: "evil" })).text).toContain(wayOut);
  const approved = await browser.approve(authorizePath(app, { display: "popup" }));
  expect(approved.parameters.get("code")).toMatch(/^ac_/);
});
