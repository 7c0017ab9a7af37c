import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "../../../workers/local/stack/ports.ts";
import { type FaultyStack, startFaultyStack } from "../../faults/faulty-stack.ts";
import { siteCookieOf } from "../../support/site-session.ts";
import { BACK } from "./connections.support.ts";

let faulty: FaultyStack;
let token: string;
let cookie: string;

beforeAll(async () => {
  const nobody = `http://127.0.0.1:${await freePorts()}`;
  const twitter = {
    client_id: "soundpost",
    client_secret: "a-secret-of-ours",
    authorization_endpoint: "https://social.example/authorize?kept=1",
    issuer: "https://social.example",
    scope: "read write",
    token_endpoint: `${nobody}/token`,
    profiles: [{ endpoint: `${nobody}/me` }],
  };
  const myspace = { ...twitter, token_endpoint: "http://social.example/token" };
  faulty = await startFaultyStack({ CONNECTION_SERVICES: JSON.stringify({ twitter, myspace }) }, 0);
  const { auth, stack } = faulty;
  const { tokens, userId } = await auth.signedIn();
  token = tokens.access_token;
  cookie = await siteCookieOf(userId, (text, values) => auth.sql(text, values), stack.urls.api);
});

afterAll(() => faulty.stop());

const ask = (path: string, init: RequestInit = {}) =>
  fetch(faulty.stack.urls.api + path, { redirect: "manual", ...init });

/** The browser that began the attempt. */
const come = (callback: string) => ask(callback, { headers: { Cookie: cookie } });

async function begin(service: string) {
  const reply = await ask("/me/connections", {
    method: "POST",
    headers: { Authorization: `OAuth ${token}` },
    body: new URLSearchParams({ service, redirect_uri: BACK }),
  });
  return { status: reply.status, text: await reply.text() };
}

const createCallback = async () => {
  const { authorize_url } = JSON.parse((await begin("twitter")).text) as { authorize_url: string };
  return `/connections/callback?code=c&state=${new URL(authorize_url).searchParams.get("state")}`;
};

test.each(["facebook_profile", "facebook_page", "myspace"])(
  "422: a service that is missing or misconfigured, as %s here",
  async (service) => {
    const { status, text } = await begin(service);
    expect(status).toBe(422);
    expect(text).toContain(`service: ${service} is not offered here`);
  },
);

test("an address at the service keeps the query of its own setting", async () => {
  const { authorize_url } = JSON.parse((await begin("twitter")).text) as { authorize_url: string };
  expect(authorize_url).toMatch(/^https:\/\/social\.example\/authorize\?kept=1&/);
  expect(new URL(authorize_url).searchParams.get("scope")).toBe("read write");
  expect(authorize_url).not.toContain("a-secret-of-ours");
});

test("an unreachable service returns to the app without success", async () => {
  const reply = await come(await createCallback());
  expect([reply.status, reply.headers.get("Location")]).toEqual([303, `${BACK}&success=false`]);
});

test("without the database the browser gets a page and may retry", async () => {
  const callback = await createCallback();
  await faulty.database.down();
  const refused = await come(callback);
  await faulty.database.up();
  expect([refused.status, refused.headers.get("Location")]).toEqual([503, null]);
  expect(refused.headers.get("Content-Type")).toMatch(/^text\/html/);
  expect((await come(callback)).status).toBe(303);
});
