import { beforeAll, expect, test } from "vitest";
import {
  authorizePath,
  type ClientApp,
  ConsentBrowser,
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
      "http://127.0.0.1:4000/fixed",
      "http://localhost:4000/exact",
    ],
  });
  browser = (await createVisitor()).browser;
});

const ask = (changes: Record<string, string | undefined>) => browser.get(authorizePath(app, changes));

function expectPage(reply: PageReply): void {
  expect([reply.status, reply.location], reply.text).toEqual([400, null]);
  expect(reply.headers.get("Content-Type")).toMatch(/^text\/html/);
}

function expectTold(reply: PageReply, error: string): void {
  expectPage(reply);
  const { address, parameters } = linkToApp(reply);
  expect([address.startsWith(`${HTTPS_CALLBACK}?error=`), parameters.get("error")]).toEqual([true, error]);
}

test("nobody is redirected with an error before they act, signed in or not", async () => {
  const native = await createClientApp({
    redirectUris: ["com.example.app:/cb", "com.example.app://host/cb"],
  });
  for (const asking of [browser, new ConsentBrowser()])
    for (const [wrong, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: undefined }, "invalid_request"],
      [{ scope: "x" }, "invalid_scope"],
    ] as const) {
      expectTold(await asking.get(authorizePath(app, wrong)), error);
      for (const redirect_uri of ["com.example.app:/cb", "com.example.app://host/cb"]) {
        const reply = await asking.get(authorizePath(native, { ...wrong, redirect_uri }));
        expectPage(reply);
        expect(linkToApp(reply).address.startsWith(`${redirect_uri}?error=`)).toBe(true);
        expect(reply.text).toContain("the app on this device that opens com.example.app: addresses");
      }
    }
});

test("no prompt, response mode or other parameter turns the error page into a redirect", async () => {
  for (const more of ["prompt=none", "response_mode=fragment", "response_mode=form_post", "display=popup"]) {
    const reply = await browser.get(`${authorizePath(app, { response_type: "token" })}&${more}`);
    expectTold(reply, "unsupported_response_type");
    expect(reply.text).not.toContain("<form");
  }
});

test("the link of the error page shows hostile input as text", async () => {
  const state = '"><script>alert(1)</script>';
  const reply = await ask({ state, response_type: undefined });
  expect(reply.text).not.toContain("<script>alert");
  expect(linkToApp(reply).parameters.get("state")).toBe(state);
});

test.each(["search-ms:query=x", "ms-msdt:/id", "steam://run/1", "vscode://x/y", "microsoft.windows.camera:"])(
  "the scheme of %s is refused even if registered",
  async (redirect_uri) => {
    const former = await createClientApp({ redirectUris: [redirect_uri] });
    for (const path of [authorizePath(former), authorizePath(former).replace("/authorize", "/connect")])
      for (const wrong of ["", "&response_type=token", "&scope=x"]) {
        const reply = await browser.get(`${path}${wrong}`);
        expectPage(reply);
        expect(reply.text).toContain("reverse order");
        expect(reply.text).not.toContain(`href="${redirect_uri}`);
      }
  },
);

test.each(["65536", "99999"])("a port of %s is refused by the rules of registration", async (port) => {
  for (const path of ["/authorize", "/connect"]) {
    const asked = authorizePath(app, { redirect_uri: `http://127.0.0.1:${port}/cb` });
    const reply = await browser.get(asked.replace("/authorize", path));
    expectPage(reply);
    expect(reply.text).toContain("check its host and its port");
  }
});

test.each([
  ["http://localhost:51004/cb", "http://127.0.0.1/cb is, with any port"],
  ["http://localhost/cb", "http://127.0.0.1/cb is, with any port"],
  ["http://localhost:4000/fixed", "http://127.0.0.1:4000/fixed is, with any port"],
  ["http://localhost:4001/exact", "http://localhost:4000/exact is, with exactly this port"],
])("the page for %s names the registered loopback address", async (redirect_uri, advice) => {
  const reply = await ask({ redirect_uri });
  expectPage(reply);
  expect(reply.text).toContain(advice);
});

test("the page for another host reveals no registered address", async () => {
  for (const redirect_uri of [
    "https://evil.example/cb",
    "http://localhost/other",
    "http://localhost.evil.example/cb",
  ])
    expect((await ask({ redirect_uri })).text).not.toContain("127.0.0.1");
});

test("the page of an error leads developers to its explanation, which stands in the docs", async () => {
  const docs = await (await fetch(`${stack.urls.api}/docs/errors`)).text();
  for (const [wrong, type] of [
    [{ client_id: "unknown" }, "unknown-app"],
    [{ redirect_uri: "https://elsewhere.example/cb" }, "redirect-uri-not-registered"],
    [{ code_challenge: undefined }, "missing-code-challenge"],
    [{ response_type: "token" }, "unsupported-response-type"],
    [{ scope: "x" }, "invalid-scope"],
  ] as const) {
    expect((await ask(wrong)).text).toContain(`href="${stack.urls.api}/docs/errors#${type}"`);
    expect(docs).toContain(`id="${type}"`);
  }
});
