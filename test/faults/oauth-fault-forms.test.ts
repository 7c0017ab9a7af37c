import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expectError, inBody } from "../support/oauth.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
  ({ auth, database } = faulty);
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

test("an unexpected error is a server_error in OAuth's form at every endpoint", async () => {
  const { app, tokens, form } = await auth.signedIn();
  database.refuse("XX000");
  const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  for (const answer of [
    await auth.token(form),
    await auth.send("/oauth/token", { form: { ...inBody(app), ...refresh } }),
    await auth.revoke(app, tokens.access_token),
    await auth.introspect(app, tokens.access_token),
  ]) {
    expectError(answer, 500, "server_error");
    expect(answer.text).not.toContain("SELECT secret_text");
  }
  await database.up();
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
});

test("the older token endpoint reports 500, 503 and 504 in its own form and consumes nothing", async () => {
  const { app, tokens } = await auth.signedIn();
  const form = { ...inBody(app), grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const older = () => auth.send<Record<string, unknown>>("/oauth2/token", { form });
  const expectOlder = ({ status, body }: Awaited<ReturnType<typeof older>>, code: number, error: string) => {
    expect([status, body.error]).toEqual([code, error]);
    expect(body).toMatchObject({
      code,
      message: error,
      error_code: error,
      error_description: expect.any(String),
    });
  };
  database.refuse("XX000");
  expectOlder(await older(), 500, "server_error");
  database.blackhole();
  expectOlder(await older(), 504, "temporarily_unavailable");
  await database.down();
  const unavailable = await older();
  expectOlder(unavailable, 503, "temporarily_unavailable");
  expect(unavailable.headers["retry-after"]).toMatch(/^\d+$/);
  await database.up();
  expect((await older()).status).toBe(200);
});
