import { beforeAll, expect, test } from "vitest";
import { isApiPath } from "../../functions/app.ts";
import { signedInBrowser } from "../support/consent.ts";
import { type Operation, operations } from "../support/operations.ts";
import { createApp, createAppToken, createUser, type Person, tokenOf } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";

/** Rules for every operation of the document, including future ones. */

let all: Operation[];
let ana: Person;

beforeAll(async () => {
  [all, ana] = await Promise.all([operations(), createUser()]);
});

const send = ({ method, path, requiredQuery, body }: Operation, headers: Record<string, string>) => {
  const sent = body("1");
  return fetch(stack.urls.api + path("1") + requiredQuery, {
    method,
    redirect: "manual",
    headers: { ...(sent && { "Content-Type": sent.type }), ...headers },
    ...(sent && { body: sent.text }),
  });
};

const secured = () => all.filter(({ security }) => security !== undefined);

/** Operations that gave another reply. */
async function notRefused(
  asked: Operation[],
  headers: Record<string, string>,
  refusals = [401],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const each of asked) {
    const { status } = await send(each, headers);
    if (!refusals.includes(status)) wrong.push(`${each.method} ${each.template}: ${status}`);
  }
  return wrong;
}

test("the document has operations of every kind", () => {
  const kinds = new Set(all.map(({ method, security }) => `${method} ${security}`));
  for (const kind of ["GET user", "POST user", "DELETE user", "GET token", "POST undefined"])
    expect(kinds).toContain(kind);
});

test("an app's own token is refused by every operation that needs a user (X22)", async () => {
  const { token } = await createAppToken();
  const ofUsers = all.filter(({ security }) => security === "user");
  expect(await notRefused(ofUsers, { Authorization: `OAuth ${token}` })).toEqual([]);
});

test("operations open to apps are documented as such (X22)", async () => {
  const { token } = await createAppToken();
  const ofApps = all.filter(({ security, method }) => security === "token" && method === "GET");
  const refused = await notRefused(ofApps, { Authorization: `OAuth ${token}` });
  expect(refused).toHaveLength(ofApps.length);
});

test("a disabled app's token is refused by every operation from the next request on (X23)", async () => {
  const app = await createApp();
  const ben = await createUser({ app });
  const own = await tokenOf(app);
  const [user, itself] = [{ Authorization: `OAuth ${ben.token}` }, { Authorization: `OAuth ${own}` }];
  // Caches the token as verified.
  expect((await fetch(`${stack.urls.api}/me`, { headers: user })).status).toBe(200);
  await sql("update apps set disabled_at = now() where id = $1", [app.id]);
  const reading = secured().filter(({ method }) => method === "GET" || method === "DELETE");
  const writing = secured().filter(({ method }) => method === "POST" || method === "PUT");
  for (const headers of [user, itself]) {
    expect(await notRefused(reading, headers)).toEqual([]);
    // A malformed body may be refused before the token is checked.
    expect(await notRefused(writing, headers, [400, 401, 415, 422])).toEqual([]);
  }
});

test("the site's cookie opens no operation (X70)", async () => {
  const { cookie = "" } = await signedInBrowser(ana);
  expect(await notRefused(secured(), { Cookie: cookie })).toEqual([]);
});

test("a malformed token is refused by every operation without a statement (X94)", async () => {
  for (const each of secured()) {
    const { status, headers } = await send(each, { Authorization: "OAuth eyJhbGciOiJub25lIn0.e30." });
    expect([each.method, each.template, status, headers.get("Server-Timing")]).toEqual([
      each.method,
      each.template,
      401,
      null,
    ]);
  }
});

test("the first path segment of every operation belongs to the API, except for the page of consent", () => {
  const strangers = all.filter(({ path }) => !isApiPath(path("1"))).map(({ template }) => template);
  expect(strangers).toEqual(["/authorize"]);
});
