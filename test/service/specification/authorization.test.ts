import { beforeAll, describe, expect, test } from "vitest";
import {
  authorizePath,
  type ClientApp,
  type ConsentBrowser,
  createClientApp,
  exchange,
  linkToApp,
  signedInBrowser,
} from "../../support/consent.ts";
import { auth, basicOf, inBody } from "../../support/oauth.ts";
import { createUserWithPassword, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { randomAddress, token } from "../older/older-tokens.ts";

let ana: Person;
let app: ClientApp;
let browser: ConsentBrowser;

beforeAll(async () => {
  ana = await createUserWithPassword();
  app = await createClientApp();
  browser = await signedInBrowser(ana);
});

const posted = (path: string, form: Record<string, string>) =>
  fetch(stack.urls.api + path, { method: "POST", body: new URLSearchParams(form) });

const ownerOf = async (reply: Response): Promise<unknown> => {
  const { access_token } = (await reply.json()) as { access_token: string };
  const headers = { Authorization: `OAuth ${access_token}` };
  return ((await (await fetch(`${stack.urls.api}/me`, { headers })).json()) as { id?: number }).id;
};

const codeBy = async (path: string): Promise<string> =>
  (await browser.approve(path)).parameters.get("code") ?? "";

describe("the authorization server", () => {
  test("GET {auth_url}/authorize redirects to the redirect_uri with `code` and `state`", async () => {
    const { location, parameters } = await browser.approve(authorizePath(app, { state: "a & b" }));
    expect(location?.startsWith(`${app.redirect_uri}?`)).toBe(true);
    expect([parameters.get("state"), parameters.get("code")]).toEqual(["a & b", expect.stringMatching(/./)]);
  });

  test.each([
    ["client_id", undefined, 400],
    ["redirect_uri", "https://other.example/cb", 400],
    ["display", "popup", 200],
  ])("its %s as %s is answered %i", async (name, value, status) => {
    expect((await browser.get(authorizePath(app, { [name]: value }))).status).toBe(status);
  });

  test.each(["response_type", "code_challenge", "code_challenge_method"])(
    "a wrong %s gets a page whose link tells the app",
    async (name) => {
      const reply = await browser.get(authorizePath(app, { [name]: "plain" }));
      expect([reply.status, reply.location]).toEqual([400, null]);
      expect(linkToApp(reply).parameters.get("error")).toMatch(
        /^(unsupported_response_type|invalid_request)$/,
      );
    },
  );

  test("POST {auth_url}/oauth/token, authorization_code: client and verifier in the body", async () => {
    expect(await ownerOf(await exchange(app, await codeBy(authorizePath(app))))).toBe(ana.id);
  });

  test("… client_credentials: client in the header, without a user's token", async () => {
    const { status, body } = await auth.ownToken(app, { headers: basicOf(app), address: randomAddress() });
    expect([status, await auth.me(body.access_token)]).toEqual([200, 401]);
  });

  test("… refresh_token: client in the body", async () => {
    const { tokens, app: other } = await auth.signedIn();
    expect((await auth.refresh(other, tokens.refresh_token)).status).toBe(200);
  });
});

describe("the older endpoints", () => {
  const older = (form: Record<string, string>) => posted("/oauth2/token", { ...inBody(app), ...form });
  const connectPath = (response_type: string) =>
    `/connect?${new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: app.redirect_uri,
      response_type,
      scope: "*",
      display: "popup",
      state: "s",
    })}`;

  test("GET {web_url}/connect returns a code, and POST {base_url}/oauth2/token its token", async () => {
    const code = await codeBy(connectPath("code"));
    const form = { grant_type: "authorization_code", code, redirect_uri: app.redirect_uri };
    const reply = await older(form);
    expect(Object.keys((await reply.clone().json()) as object).sort()).toEqual(["access_token", "scope"]);
    expect(await ownerOf(reply)).toBe(ana.id);
  });

  test("GET {web_url}/connect returns a token in the fragment", async () => {
    const { location } = await browser.approve(connectPath("token"));
    expect(location).toMatch(/#.*access_token=/);
  });

  test("POST {base_url}/oauth2/token, password", async () => {
    const form = { grant_type: "password", username: ana.username, password: "correct horse battery" };
    expect(await ownerOf(await older(form))).toBe(ana.id);
  });

  test("… refresh_token", async () => {
    const current = await exchange(app, await codeBy(authorizePath(app)));
    const { refresh_token } = (await current.json()) as { refresh_token: string };
    expect(await ownerOf(await older({ grant_type: "refresh_token", refresh_token }))).toBe(ana.id);
  });

  test("… client_credentials, in the body", async () => {
    const form = { grant_type: "client_credentials" };
    const { status, body } = await token(app, form, { address: randomAddress() });
    expect([status, Object.keys(body).sort()]).toEqual([200, ["access_token", "scope"]]);
  });

  test("a client_id in the query reads public data", async () => {
    const reply = await fetch(`${stack.urls.api}/users/${ana.id}?client_id=${app.client_id}`);
    expect(reply.status).toBe(200);
  });
});
