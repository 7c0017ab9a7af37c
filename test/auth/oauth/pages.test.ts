import { expect, test } from "vitest";
import { type Asked, auth, basicOf, inBody, randomAddress } from "../../support/oauth.ts";

const FROM_PAGE = { Origin: "https://page.example" };
const PREFLIGHT = {
  ...FROM_PAGE,
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "authorization,content-type",
};

test.for(["/sign-out", "/oauth/token", "/oauth/revoke", "/oauth2/token"])(
  "any page may call %s: its preflight succeeds, without credentials (O66)",
  async (path) => {
    const { status, headers } = await auth.send(path, { method: "OPTIONS", headers: PREFLIGHT });
    expect([status, headers["access-control-allow-origin"]]).toEqual([204, "*"]);
    expect(headers["access-control-allow-methods"]).toContain("POST");
    expect(headers["access-control-allow-headers"]).toMatch(/Authorization.*Content-Type/);
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  },
);

test("a page reads replies of the token endpoints, including errors, but never with cookies (O66)", async () => {
  const { app, tokens } = await auth.signedIn();
  const headers = { ...FROM_PAGE, Cookie: `sid=${tokens.access_token}` };
  const asked: Asked = { headers, address: randomAddress() };
  const wrong = { ...inBody(app), client_secret: "wrong", grant_type: "refresh_token", refresh_token: "x" };
  const refreshed = await auth.refresh(app, tokens.refresh_token, {}, { headers });
  const replies = [
    refreshed,
    await auth.token(wrong, asked),
    await auth.token("", asked),
    await auth.ownToken(app, { headers }),
    await auth.send("/oauth2/token", { form: wrong, ...asked }),
    await auth.send("/oauth/revoke", { form: { ...inBody(app), token: "x" }, headers }),
    await auth.send("/sign-out", { json: {}, headers }),
    await auth.signOut(refreshed.body.access_token, { headers }),
    await auth.signOut("junk", { headers }),
    await auth.send("/oauth/token", { method: "GET", headers }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 401, 400, 200, 401, 200, 400, 200, 401, 405]);
  for (const reply of replies) {
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
    expect(reply.headers["access-control-expose-headers"]).toContain("WWW-Authenticate");
    expect(reply.headers["access-control-allow-credentials"]).toBeUndefined();
    expect(reply.headers["set-cookie"]).toBeUndefined();
  }
});

test("no page may introspect tokens, and consent pages have no CORS (O66)", async () => {
  for (const path of ["/oauth/introspect", "/authorize", "/connect"]) {
    const { status, headers } = await auth.send(path, { method: "OPTIONS", headers: PREFLIGHT });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

const described = async (asked: Asked) => {
  const { status, body } = await auth.send<Record<string, string>>("/oauth/token", {
    ...asked,
    address: randomAddress(),
  });
  return [status, body.error, body.error_description];
};

test("a refused client learns what is wrong with its authentication", async () => {
  const [app, other] = [await auth.createApp(), await auth.createApp()];
  const grant = { grant_type: "client_credentials" };
  const refusals: [Asked, RegExp][] = [
    [{ form: { ...grant, ...inBody(app) } }, /Authorization: Basic, not in the body/],
    [{ form: grant }, /needs the header Authorization: Basic/],
    [{ form: { grant_type: "refresh_token", refresh_token: "x" } }, /no client credentials were sent/],
    [{ form: grant, headers: { Authorization: "Basic nonsense" } }, /not of the form Basic/],
    [{ form: { ...grant, client_id: other.client_id }, headers: basicOf(app) }, /name different clients/],
    [{ form: grant, headers: basicOf({ ...app, client_secret: "x" }) }, /unknown or its secret is wrong/],
  ];
  for (const [asked, told] of refusals)
    expect(await described(asked)).toEqual([401, "invalid_client", expect.stringMatching(told)]);
  const path = `/oauth/token?client_id=${app.client_id}&client_secret=${app.client_secret}`;
  const { status, body } = await auth.send<Record<string, string>>(path, { form: grant });
  expect([status, body.error_description]).toEqual([
    401,
    expect.stringContaining("not accepted in the query"),
  ]);
});
