import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CALLBACK } from "../../support/oauth.ts";
import { expectUnanswered, expectUnavailable, sender } from "../http/requests.support.ts";
import { type FaultyStack, startFaultyStack } from "../oauth/faulty-stack.ts";

let faulty: FaultyStack;
let send: ReturnType<typeof sender>;
let token: string;

const NAME = "Was it made?";

beforeAll(async () => {
  faulty = await startFaultyStack();
  send = sender(faulty);
  faulty.database.meet(NAME);
  token = (await faulty.auth.signedIn()).tokens.access_token;
});

afterEach(() => faulty.database.up());
afterAll(() => faulty.stop());

test("503: the service is temporarily unavailable and says when to retry", async () => {
  await faulty.database.down();
  expectUnavailable(await send("GET", "/me", token));
});

test("504: the outcome is unknown, and the resource's state tells", async () => {
  faulty.database.loseReplies(1);
  const app = { name: NAME, redirect_uris: [CALLBACK] };
  expectUnanswered(await send("POST", "/me/apps", token, app));
  expect((await send("GET", "/me/apps", token)).text).toContain(app.name);
});
