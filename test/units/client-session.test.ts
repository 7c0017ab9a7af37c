import { beforeEach, expect, test } from "vitest";
import { createClient, memoryStore, UnauthorizedError } from "../../functions/client/index.ts";

const ISSUER = "https://sound.test";
const APP = { clientId: "app", clientSecret: "secret" };

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

/** Grants that reached the service. */
let granted: string[];
/** Ends the wait of the refresh that is under way. */
let answerRefresh: () => void;

beforeEach(() => {
  granted = [];
});

/** A service that answers a refresh when it is told to. */
async function answer(url: string, { body, headers }: RequestInit): Promise<Response> {
  if (url.includes("oauth-protected-resource")) return json({ authorization_servers: [ISSUER] });
  if (url.includes("/.well-known/"))
    return json({
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/oauth/token`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      authorization_endpoint: `${ISSUER}/authorize`,
    });
  const form = new URLSearchParams(String(body ?? ""));
  if (url.endsWith("/oauth/revoke")) return json({ revoked: form.get("token") });
  if (url.endsWith("/oauth/token")) {
    const grant = form.get("grant_type") ?? "";
    granted.push(grant);
    if (grant === "refresh_token") await new Promise<void>((resolve) => (answerRefresh = resolve));
    return json({ access_token: `by ${grant}`, refresh_token: "next", expires_in: 3600 });
  }
  const token = new Headers(headers).get("Authorization");
  return token === "OAuth by client_credentials"
    ? json({ errors: [], link: `${ISSUER}/docs/errors#user-token-needed` }, 401)
    : json({ token });
}

const createSignedIn = async () => {
  const store = memoryStore();
  const client = createClient({ apiUrl: ISSUER, ...APP, store, fetch: answer });
  await client.session.tokens.write({ accessToken: "first", refreshToken: "once", expiresAt: 0 });
  return client;
};

test.each([
  [undefined, null],
  [{ scope: "read social" }, "read social"],
])("a sign-in with %j asks for the scope %j", async (options, scope) => {
  const client = await createSignedIn();
  const begun = new URL(await client.session.begin("https://app.test/cb", options));
  expect(begun.searchParams.get("scope")).toBe(scope);
});

test("a refresh that ends after another sign-in does not replace it", async () => {
  const client = await createSignedIn();
  const began = new URL(await client.session.begin("https://app.test/cb"));
  const call = client.get("/me");
  await expect.poll(() => granted).toEqual(["refresh_token"]);
  const callback = new URLSearchParams({
    code: "c",
    iss: ISSUER,
    state: began.searchParams.get("state") ?? "",
  });
  const finished = client.session.finish(`https://app.test/cb?${callback}`);
  await expect.poll(() => granted).toEqual(["refresh_token", "authorization_code"]);
  answerRefresh();
  await Promise.all([call, finished]);
  expect(await client.session.tokens.read()).toMatchObject({ accessToken: "by authorization_code" });
});

test("a refresh that ends after signing out signs nobody in again", async () => {
  const client = await createSignedIn();
  const call = client.get("/me");
  await expect.poll(() => granted).toEqual(["refresh_token"]);
  const ended = client.session.end();
  answerRefresh();
  await Promise.all([call, ended]);
  expect(await client.session.isSignedIn()).toBe(false);
});

test("an app's own token, refused where a user's is needed, is not asked for anew", async () => {
  const client = createClient({ apiUrl: ISSUER, ...APP, store: memoryStore(), fetch: answer });
  await client.session.beginAsApp();
  await expect(client.get("/me")).rejects.toThrow(UnauthorizedError);
  expect(granted).toEqual(["client_credentials"]);
});

test("a refresh is sent again under the same key, also after its failure, and another under another", async () => {
  const keys: (string | null)[] = [];
  let failures = 2;
  const client = createClient({
    apiUrl: ISSUER,
    ...APP,
    store: memoryStore(),
    retries: { attempts: 2 },
    fetch: async (url, init = {}) => {
      const form = new URLSearchParams(String(init.body ?? ""));
      if (form.get("grant_type") !== "refresh_token") return answer(String(url), init);
      keys.push(new Headers(init.headers).get("Idempotency-Key"));
      if (failures-- > 0) return json({ error: "temporarily_unavailable" }, 504);
      return json({ access_token: `${keys.length}`, refresh_token: `token ${keys.length}`, expires_in: 0 });
    },
  });
  await client.session.tokens.write({ accessToken: "first", refreshToken: "once", expiresAt: 0 });
  await expect(client.get("/me")).rejects.toThrow();
  await client.get("/me");
  const [first] = keys;
  expect(first).toMatch(/^[\w-]{36}$/);
  expect(new Set(keys).size).toBe(1);
  await client.get("/me");
  expect(new Set(keys).size).toBe(2);
});
