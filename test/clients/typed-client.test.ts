import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Store } from "../../functions/client/store.ts";
import { TWO_PARTS } from "../api/uploads/uploads.support.ts";
import { arrived, createListener } from "../api/webhooks/webhook-receiver.ts";
import { api } from "../support/api.ts";
import { createClientApp } from "../support/consent.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { createPlayableTrack, createTrack, words } from "../support/tracks.ts";
import {
  askWorker,
  beginSignIn,
  type Installed,
  installClient,
  intercepted,
  refusing,
  run,
} from "./typed-client.support.ts";

const STRICT = "--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --verbatimModuleSyntax";
const PLATFORM =
  "--noEmit --target es2022 --module nodenext --lib es2022,dom,dom.asynciterable --ignoreConfig";

let installed: Installed;
let soundpost: Installed["soundpost"];

beforeAll(async () => {
  installed = await installClient();
  soundpost = installed.soundpost;
});

afterAll(() => installed.remove());

const signedInClient = (store?: Store) => beginSignIn(soundpost, store);

test("programs that use the installed package compile in strict mode", async () => {
  const tsc = join(PROJECT_DIR, "node_modules/typescript/bin/tsc");
  const asked = [
    ...STRICT.split(" "),
    ...PLATFORM.split(" "),
    "--types",
    "",
    "typical-calls.ts",
    "worker.ts",
    "all-entries.ts",
    "narrowing.ts",
  ];
  const { stdout } = await run(process.execPath, [tsc, ...asked], { cwd: installed.directory }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe("");
});

test("twenty typical calls work", async () => {
  const ana = await createUser();
  const ben = await createUser();
  const { id } = await createPlayableTrack(ana, { title: "Typical" });
  const track = (await api.as(ana).get<Track>(`/tracks/${id}`)).body;
  const { typicalCalls } = await import(/* @vite-ignore */ join(installed.directory, "typical-calls.ts"));
  const found = await typicalCalls({
    apiUrl: stack.urls.api,
    token: ana.token,
    trackId: track.id,
    userId: ben.id,
    permalinkUrl: track.permalink_url,
  });
  expect(found).toEqual({
    username: ana.username,
    duration: track.duration,
    bpm: null,
    titles: ["Typical"],
    changed: "Changed",
    hls: expect.stringContaining("/media/"),
    at: 1_000,
    liked: 1,
    partSize: expect.any(Number),
    comments: 1,
    followings: 1,
    users: 0,
    sets: 1,
    followers: 1,
    resolved: track.id,
    track: track.id,
    etag: expect.stringMatching(/^"/),
    next: undefined,
  });
});

test("a user signs in with PKCE, the callback works once, and signing out ends the session", async () => {
  const { client, user, callback } = await signedInClient();
  await client.session.finish(callback);
  expect((await client.get("/me")).id).toBe(user.id);
  await expect(client.session.finish(callback)).rejects.toThrow("was not begun here");
  const token = await client.session.tokens.current();
  await client.session.end();
  await expect(client.get("/me")).rejects.toBeInstanceOf(soundpost.UnauthorizedError);
  const ended = soundpost.createClient({ apiUrl: stack.urls.api, token: token ?? "" });
  await expect(ended.get("/me")).rejects.toBeInstanceOf(soundpost.UnauthorizedError);
});

test("a callback that names another server, or a refusal, signs nobody in", async () => {
  const { client, callback } = await signedInClient();
  const forged = new URL(callback);
  forged.searchParams.set("iss", "https://evil.example");
  await expect(client.session.finish(forged)).rejects.toThrow("The reply came from https://evil.example");
  const refused = await signedInClient();
  const denied = new URL(refused.callback);
  denied.searchParams.delete("code");
  denied.searchParams.set("error", "access_denied");
  await expect(refused.client.session.finish(denied)).rejects.toMatchObject({ code: "access_denied" });
  expect([await client.session.isSignedIn(), await refused.client.session.isSignedIn()]).toEqual([
    false,
    false,
  ]);
});

test("an app signs in as itself and asks anew when its token is refused", async () => {
  const app = await createClientApp();
  const credentials = { clientId: app.client_id, clientSecret: app.client_secret };
  const client = soundpost.createClient({ apiUrl: stack.urls.api, ...credentials });
  await client.session.beginAsApp();
  expect(await client.get("/tracks", { query: { limit: 1 } })).toHaveLength(1);
  await client.session.tokens.write({
    accessToken: "at_wrong",
    expiresAt: Date.now() + 3_600_000,
    ofApp: true,
  });
  expect(await client.get("/tracks", { query: { limit: 1 } })).toHaveLength(1);
});

test("processes that share a session refresh it once, and go on with the new token", async () => {
  const file = join(installed.directory, "session.json");
  const { fileStore } = await import("../../functions/client/file-store.ts");
  const { app, user, client, callback } = await signedInClient(fileStore(file));
  await client.session.finish(callback);
  const tokens = await client.session.tokens.read();
  await client.session.tokens.write({ ...tokens, accessToken: tokens?.accessToken ?? "", expiresAt: 0 });
  const args = [stack.urls.api, app.client_id, app.client_secret, file];
  const processes = [1, 2, 3].map(() =>
    run(process.execPath, ["print-me.ts", ...args], { cwd: installed.directory }),
  );
  const printed = await Promise.all(processes.map(async (each) => JSON.parse((await each).stdout)));
  const [first] = printed;
  expect(printed).toEqual([first, first, first]);
  expect(first.id).toBe(user.id);
  expect(first.token).not.toBe(tokens?.accessToken);
});

test("calls at once refresh once, and a session that has ended asks to sign in", async () => {
  const { client, callback } = await signedInClient();
  await client.session.finish(callback);
  const tokens = await client.session.tokens.read();
  const before = tokens?.accessToken ?? "";
  await Promise.all([1, 2, 3, 4].map(() => client.session.tokens.renew(before)));
  expect(await client.session.tokens.current()).not.toBe(before);
  expect((await client.get("/me")).kind).toBe("user");
  await client.session.tokens.write({ accessToken: "at_old", refreshToken: "rt_old", expiresAt: 0 });
  await expect(client.get("/me")).rejects.toBeInstanceOf(soundpost.SignInRequiredError);
  expect(await client.session.isSignedIn()).toBe(false);
});

test("an iterator walks all pages of a list", async () => {
  const ana = await createUser();
  const made = [];
  for (let nth = 0; nth < 5; nth++) made.unshift((await createTrack(ana)).id);
  const client = soundpost.createClient({ apiUrl: stack.urls.api, token: ana.token });
  const ids: number[] = [];
  for await (const { id } of client.each("/me/tracks", { query: { limit: 2 } })) ids.push(id);
  expect(ids).toEqual(made);
  const sizes: number[] = [];
  for await (const { collection } of client.pages("/me/tracks", { query: { limit: 2 } }))
    sizes.push(collection.length);
  expect(sizes).toEqual([2, 2, 1]);
});

test("errors have a class by status, the problems by field and the id of the request", async () => {
  const ana = await createUser();
  const client = soundpost.createClient({ apiUrl: stack.urls.api, token: () => ana.token });
  const track = await createTrack(await createUser());
  const missing = client.get("/tracks/{id}", { path: { id: 1 } });
  await expect(missing).rejects.toBeInstanceOf(soundpost.NotFoundError);
  await expect(missing).rejects.toMatchObject({
    status: 404,
    message: "Track not found",
    requestId: expect.any(String),
  });
  const path = { id: track.id };
  const forbidden = client.put("/tracks/{id}", { path, body: { track: { title: "Mine" } } });
  await expect(forbidden).rejects.toBeInstanceOf(soundpost.ForbiddenError);
  const invalid = client.post("/tracks/{id}/comments", { path, body: { comment: { body: "" } } });
  await expect(invalid).rejects.toBeInstanceOf(soundpost.InvalidError);
  await expect(invalid).rejects.toMatchObject({ fields: { "comment[body]": [expect.any(String)] } });
  const nobody = soundpost.createClient({ apiUrl: "http://127.0.0.1:9", retries: { attempts: 1 } });
  await expect(nobody.get("/tracks")).rejects.toBeInstanceOf(soundpost.ConnectionError);
});

test("a POST whose reply was lost is repeated with its key, and does nothing twice", async () => {
  const ana = await createUser();
  const track = await createTrack(ana);
  const lost = intercepted(({ nth }) => (nth === 1 ? new TypeError("lost") : undefined));
  const client = soundpost.createClient({ apiUrl: stack.urls.api, token: ana.token, fetch: lost.fetch });
  const path = { id: track.id };
  await client.post("/tracks/{id}/comments", { path, body: { comment: { body: "Once" } } });
  const [first, second] = lost.sent.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(await client.get("/tracks/{id}/comments", { path })).toHaveLength(1);
});

test("a busy service is asked again when it says so, and a long wait is an error at once", async () => {
  const ana = await createUser();
  const options = { apiUrl: stack.urls.api, token: ana.token };
  const busy = intercepted(({ nth }) => (nth === 1 ? refusing(503, "1") : undefined));
  const began = performance.now();
  await soundpost.createClient({ ...options, fetch: busy.fetch }).get("/me");
  expect(performance.now() - began).toBeGreaterThan(990);
  expect(busy.sent).toHaveLength(2);
  const limited = intercepted(() => refusing(429, "3600"));
  const asked = soundpost.createClient({ ...options, fetch: limited.fetch }).get("/me");
  await expect(asked).rejects.toBeInstanceOf(soundpost.RateLimitError);
  await expect(asked).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
  expect(limited.sent).toHaveLength(1);
});

test("an upload survives a refusal of storage, tells its progress, and becomes a track", async () => {
  const ana = await createUser();
  const isPart = (method: string) => method === "PUT";
  let refused = 0;
  const broken = intercepted(({ method }) =>
    isPart(method) && refused++ === 0 ? refusing(503, "0") : undefined,
  );
  const client = soundpost.createClient({ apiUrl: stack.urls.api, token: ana.token, fetch: broken.fetch });
  const seen: number[] = [];
  const upload = await soundpost.uploadFile(client, TWO_PARTS, {
    name: "a.wav",
    onProgress: (sent) => seen.push(sent),
  });
  expect([upload.status, upload.size]).toEqual(["ready", TWO_PARTS.size]);
  expect(seen.at(-1)).toBe(TWO_PARTS.size);
  expect(broken.sent.filter(({ method }) => isPart(method))).toHaveLength(3);
  const track = await soundpost.uploadTrack(client, words(), { title: "Words", sharing: "private" });
  expect([track.title, track.sharing]).toEqual(["Words", "private"]);
});

test("an upload that was stopped goes on with the same file where it was", async () => {
  const ana = await createUser();
  const stop = new AbortController();
  const file = { name: "long.wav", lastModified: 1_700_000_000_000 };
  const options = { apiUrl: stack.urls.api, token: ana.token };
  const onProgress = (sent: number) => sent > 0 && stop.abort(new Error("stopped"));
  const once = soundpost.uploadFile(soundpost.createClient(options), TWO_PARTS, {
    ...file,
    parallel: 1,
    signal: stop.signal,
    onProgress,
  });
  await expect(once).rejects.toThrow("stopped");
  const rest = intercepted(() => undefined);
  const client = soundpost.createClient({ ...options, fetch: rest.fetch });
  expect((await soundpost.uploadFile(client, TWO_PARTS, file)).status).toBe("ready");
  expect(rest.sent.filter(({ method }) => method === "PUT")).toHaveLength(1);
  expect(await client.get("/uploads")).toHaveLength(1);
});

test("a webhook's delivery is verified; a forged, altered or old one is refused", async () => {
  const { received, webhook, follow } = await createListener();
  await follow();
  await arrived(received, 1);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  const { verifyWebhook, WebhookError } = soundpost;
  const event = await verifyWebhook({ headers, body }, ["whsec_b3RoZXI=", webhook.secret]);
  expect([event.type, JSON.parse(body)]).toEqual(["follow.created", event]);
  const bytes = new TextEncoder().encode(body);
  expect(
    await verifyWebhook({ headers: new Headers(headers as HeadersInit), body: bytes }, webhook.secret),
  ).toEqual(event);
  await expect(verifyWebhook({ headers, body }, "whsec_b3RoZXI=")).rejects.toBeInstanceOf(WebhookError);
  await expect(verifyWebhook({ headers, body: `${body} ` }, webhook.secret)).rejects.toThrow(
    "No signature fits",
  );
  const later = { now: new Date(Date.now() + 301_000) };
  await expect(verifyWebhook({ headers, body }, webhook.secret, later)).rejects.toThrow("too far from now");
});

test("the same package runs in a Worker", async () => {
  const ana = await createUser();
  for (const title of ["First", "Second"]) await createTrack(ana, { title });
  const asked = new URLSearchParams({ api: stack.urls.api, token: ana.token });
  expect(await askWorker(installed.directory, `http://worker.example/?${asked}`)).toEqual({
    id: ana.id,
    refused: true,
    titles: ["Second", "First"],
  });
});
