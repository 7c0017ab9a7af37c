import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { locked } from "../auth/oauth/table-lock.ts";
import { createTrack, expectUnavailable, sender } from "../lib/http/requests.support.ts";
import { times } from "../support/oauth.ts";
import { repeats } from "../support/repeats.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;
let send: ReturnType<typeof sender>;
let token: string;
let track: number;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
  ({ auth, database } = faulty);
  send = sender(faulty);
  token = (await auth.signedIn()).tokens.access_token;
  track = await createTrack(auth);
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

const like = () => send("POST", `/likes/tracks/${track}`, token);
const read = () => send("GET", `/tracks/${track}`, token);

/** Opens the page and sends its form like a browser. */
async function signIn() {
  const url = `${faulty.stack.urls.api}/signin`;
  const page = await fetch(url);
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
  const [cookie = ""] = page.headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
  const body = new URLSearchParams({ form_token, email: "nobody@example.com", password: "correct horse" });
  const reply = await fetch(url, { method: "POST", body, headers: { Cookie: cookie }, redirect: "manual" });
  return {
    status: reply.status,
    retryAfter: reply.headers.get("Retry-After"),
    cookies: reply.headers.getSetCookie(),
  };
}

test("503: a blocked limiter lets nobody in, for client credentials and sign-in (F63)", async () => {
  const app = await auth.createApp();
  await locked(
    auth,
    async () => {
      const [tokens, page] = await Promise.all([auth.ownToken(app), signIn()]);
      expect([tokens.status, tokens.body.access_token]).toEqual([503, undefined]);
      expect(tokens.headers["retry-after"]).toMatch(/^\d+$/);
      expect([page.status, page.cookies]).toEqual([503, []]);
      expect(page.retryAfter).toMatch(/^\d+$/);
      expect((await read()).status).toBe(200);
      expect((await like()).status).toBe(200);
    },
    "failures",
  );
  expect(await auth.sql("select from sessions where app_id = $1", [app.id])).toEqual([]);
  expect([(await auth.ownToken(app)).status, (await signIn()).status]).toEqual([200, 422]);
});

test("blocked budgets stop counted writes, but neither reads nor taking back (F63)", async () => {
  await like();
  await send("DELETE", `/likes/tracks/${track}`, token);
  const likes = () => auth.sql("select from favorites where track_id = $1", [track]);
  await locked(
    auth,
    async () => {
      expectUnavailable(await like());
      expect((await read()).status).toBe(200);
      expect((await send("DELETE", `/likes/tracks/${track}`, token)).status).toBe(200);
    },
    "budgets",
  );
  expect(await likes()).toEqual([]);
  expect((await like()).status).toBe(200);
  expect(await likes()).toHaveLength(1);
});

test("hundreds of retrying clients all get a reply with different delays, and succeed afterwards (F64)", async () => {
  await send("DELETE", `/likes/tracks/${track}`, token);
  await database.down();
  const clients = repeats(200, 500);
  const waits = new Set<string>();
  for (let storm = 0; storm < 3; storm++) {
    const answers = await times(clients, (index) => (index % 10 ? read() : like()));
    for (const answer of answers) {
      expectUnavailable(answer);
      waits.add(answer.headers.get("Retry-After") ?? "");
    }
    expect((await send("GET", "/healthz")).status).toBe(200);
  }
  // Seconds from 5 to 29, spread so that clients do not return together.
  expect(waits.size).toBeGreaterThan(20);
  await database.up();
  const pending = new Set(Array.from({ length: clients }, (_, index) => index));
  const retryAll = async () => {
    await Promise.all(
      [...pending].map(async (index) => {
        const { status } = await (index % 10 ? read() : like());
        if (status === 200) pending.delete(index);
      }),
    );
    return pending.size;
  };
  await expect.poll(retryAll).toBe(0);
  expect(await auth.sql("select from favorites where track_id = $1", [track])).toHaveLength(1);
});
