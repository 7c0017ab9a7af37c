import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { EventOptions, EventStream } from "../../functions/client/events.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createTrack } from "../support/tracks.ts";
import { openCuttingProxy } from "./cut-streams.support.ts";
import { askWorker, beginSignIn, type Installed, installClient, run } from "./typed-client.support.ts";

let installed: Installed;
let soundpost: Installed["soundpost"];
let ana: Person;
let comment: (body: string) => Promise<unknown>;

beforeAll(async () => {
  installed = await installClient();
  soundpost = installed.soundpost;
});
afterAll(() => installed.remove());

beforeEach(async () => {
  ana = await createUser();
  comment = await commenterOn(ana);
});

/** Somebody who comments on a track of the user's. */
async function commenterOn(user: Person) {
  const ben = await createUser();
  const track = await createTrack(user);
  return (body: string) => createComment(ben, track, { body });
}

const follow = (apiUrl = stack.urls.api, options: EventOptions = {}) =>
  soundpost.createClient({ apiUrl, token: ana.token }).events(options);

/** Takes the comments' bodies until the last is among them. */
async function bodiesUntil(stream: EventStream, last: string): Promise<string[]> {
  const bodies: string[] = [];
  for await (const event of stream) {
    bodies.push(event.type === "comment.created" ? event.data.comment.body : event.type);
    if (bodies.at(-1) === last) break;
  }
  return bodies;
}

/** Waits until the stream is open. Events before that are none of its. */
async function opened(stream: EventStream): Promise<void> {
  await expect.poll(() => stream.lastEventId).toBeDefined();
}

test("a stream whose connections break anywhere loses no event and repeats none", async () => {
  const proxy = await openCuttingProxy(stack.urls.api, (nth) => 900 + ((nth * 397) % 2_300));
  const stream = follow(proxy.url);
  const numbers = Array.from({ length: 20 }, (_, nth) => String(nth + 1));
  const taking = bodiesUntil(stream, "20");
  await opened(stream);
  for (const number of numbers) await comment(number);
  expect(await taking).toEqual(numbers);
  expect(proxy.connections()).toBeGreaterThan(5);
});

test("a stream goes on when a service that was down for a while is back", async () => {
  const proxy = await openCuttingProxy(stack.urls.api, () => Number.POSITIVE_INFINITY);
  let failures = 0;
  const stream = follow(proxy.url, { onFailure: () => failures++ });
  const taking = bodiesUntil(stream, "after");
  await opened(stream);
  await comment("before");
  await proxy.down();
  await comment("meanwhile");
  await expect.poll(() => failures).toBeGreaterThan(1);
  await proxy.up();
  await comment("after");
  expect(await taking).toEqual(["before", "meanwhile", "after"]);
});

test("a stored id lets another process go on, and the process ends with its loop", async () => {
  const stream = follow();
  const first = bodiesUntil(stream, "one");
  await opened(stream);
  for (const body of ["one", "two", "three"]) await comment(body);
  expect(await first).toEqual(["one"]);
  const args = ["follow-events.ts", stack.urls.api, ana.token, stream.lastEventId ?? "", "2"];
  const { stdout } = await run(process.execPath, args, { cwd: installed.directory });
  const printed = stdout.trim().split("\n");
  expect(printed.map((line) => JSON.parse(line).body)).toEqual(["two", "three"]);
});

test("an expired token is refreshed, and a session that has ended ends the stream with an error", async () => {
  const { client, callback, user } = await beginSignIn(soundpost);
  await client.session.finish(callback);
  const tokens = await client.session.tokens.read();
  await client.session.tokens.write({
    ...tokens,
    accessToken: "at_wrong",
    expiresAt: Date.now() + 3_600_000,
  });
  const commentToUser = await commenterOn({ ...user, token: (await client.session.tokens.current()) ?? "" });
  const stream = client.events();
  const taking = bodiesUntil(stream, "refreshed");
  await opened(stream);
  await commentToUser("refreshed");
  expect(await taking).toEqual(["refreshed"]);
  const later = client.events();
  const step = later.next();
  await opened(later);
  const refreshed = await client.session.tokens.read();
  await client.session.end();
  await client.session.tokens.write({
    ...refreshed,
    accessToken: refreshed?.accessToken ?? "",
    expiresAt: 0,
  });
  await expect(step).rejects.toBeInstanceOf(soundpost.SignInRequiredError);
});

test("a Worker follows events", async () => {
  const stream = follow();
  const taking = bodiesUntil(stream, "one");
  await opened(stream);
  const after = stream.lastEventId ?? "";
  await comment("one");
  await taking;
  const asked = new URLSearchParams({ api: stack.urls.api, token: ana.token, after });
  const found = await askWorker(installed.directory, `http://worker.example/?${asked}`);
  expect(found).toMatchObject({ event: "comment.created" });
});
