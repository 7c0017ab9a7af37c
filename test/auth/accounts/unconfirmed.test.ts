import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { accept, createCreditedTrack } from "../../api/credits/credits.support.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { createWebhook } from "../../api/webhooks/webhook-receiver.ts";
import { api, type ErrorReply, type Options } from "../../support/api.ts";
import { linkIn, mailsTo, mailTo, PASSWORD, uniqueName } from "../../support/browser.ts";
import { createForm, createPng } from "../../support/images.ts";
import { operate } from "../../support/operate.ts";
import { operations } from "../../support/operations.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, shortWav } from "../../support/tracks.ts";
import { type SignedUp, signUpAt } from "./registration.support.ts";

/** A Worker on which accounts post nothing before their address is confirmed. */
let worker: Awaited<ReturnType<typeof startSecondWorker>>;
let ana: Person;
let song: { id: number };
let picture: Buffer;

beforeAll(async () => {
  worker = await startSecondWorker(() => ({ REGISTRATION: "confirm" }));
  ana = await createUser();
  song = await createPlayableTrack(ana);
  picture = await createPng();
});
afterAll(() => worker.stop());

type Newcomer = SignedUp & Person;

/** Signs up, with a token of an app. Has the plan that apps of one's own need. */
async function createNewcomer(): Promise<Newcomer> {
  const signedUp = await signUpAt(worker);
  expect(signedUp.reply.status).toBe(303);
  const app = await createApp();
  const id = signedUp.id ?? 0;
  await sql("update users set plan = 'artist' where id = $1", [id]);
  return { ...signedUp, id, app, token: await tokenOf(app, signedUp.username) };
}

const confirm = async ({ browser, email }: SignedUp) =>
  browser.submit(linkIn(await mailTo(email, "Confirm")), "/confirm");

function songForm(): FormData {
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", shortWav(), "song.wav");
  return form;
}

type Method = "post" | "put";
type Write = [method: Method, path: string, options?: Options];

/** Everything that shows something to others, as far as somebody without a track can send it. */
const writes = (set: { id: number }): Write[] => [
  ["post", `/tracks/${song.id}/comments`, { json: { comment: { body: "https://spam.example" } } }],
  ["post", "/tracks", { raw: songForm() }],
  ["post", "/uploads", { json: { filename: "a.wav", size: 10, type: "audio/wav" } }],
  ["post", "/playlists", { json: { playlist: { title: "Mine" } } }],
  ["post", `/likes/tracks/${song.id}`],
  ["post", `/likes/playlists/${set.id}`],
  ["post", `/reposts/tracks/${song.id}`],
  ["post", `/reposts/playlists/${set.id}`],
  ["put", `/me/favorites/${song.id}`],
  ["put", `/me/followings/${ana.id}`],
  ["put", "/me", createForm({ "user[avatar_data]": picture })],
  ["put", "/me", { json: { user: { website_title: "Spam" } } }],
  ["put", "/me", { json: { user: { website: "https://spam.example" } } }],
  ["put", "/me", { json: { user: { description: "https://spam.example" } } }],
  ["put", "/me/web-profiles", { json: { web_profiles: [{ url: "https://spam.example/" }] } }],
  ["post", "/me/apps", { json: { name: uniqueName(), redirect_uris: ["https://client.example/"] } }],
  ["post", "/me/webhooks", { json: { url: "https://hooks.example.com/", events: ["comment.created"] } }],
];

test("403: nothing is posted before the address is confirmed, and everything after, by the same token", async () => {
  const newcomer = await createNewcomer();
  const set = await createPlaylist(ana, { title: "A set", sharing: "public" });
  for (const [method, path, options] of writes(set)) {
    const { status, body } = await api.as(newcomer)[method]<ErrorReply & { link: string }>(path, options);
    expect([path, status]).toEqual([path, 403]);
    expect(body.link).toMatch(/#confirmation-needed$/);
    expect(body.errors[0]?.error_message).toContain(`${stack.urls.auth}/settings`);
  }
  expect((await confirm(newcomer)).status).toBe(200);
  for (const [method, path, options] of writes(set)) {
    const { status } = await api.as(newcomer)[method](path, options);
    expect([path, status < 300]).toEqual([path, true]);
  }
});

test("403: somebody who was named as an artist accepts once the address is confirmed", async () => {
  const newcomer = await createNewcomer();
  const track = await createCreditedTrack(ana, [newcomer]);
  expect((await accept(newcomer, track)).status).toBe(403);
  await confirm(newcomer);
  expect((await accept(newcomer, track)).status).toBeLessThan(300);
});

test("403: a file is refused before it is sent to storage", async () => {
  const newcomer = await createNewcomer();
  expect((await api.as(newcomer).post("/tracks", { raw: songForm() })).status).toBe(403);
  const listed = await sql("select from object_garbage where prefix like $1", [`in/${newcomer.id}/%`]);
  expect(listed).toHaveLength(1);
});

test("a refusal keeps its key free: the same request is done once the address is confirmed", async () => {
  const newcomer = await createNewcomer();
  const request = {
    json: { comment: { body: "Fine" } },
    headers: { "Idempotency-Key": uniqueName() },
  };
  const path = `/tracks/${song.id}/comments`;
  expect((await api.as(newcomer).post(path, request)).status).toBe(403);
  await confirm(newcomer);
  const [first, again] = [
    await api.as(newcomer).post<{ id: number }>(path, request),
    await api.as(newcomer).post<{ id: number }>(path, request),
  ];
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
});

test("two apps of one user are refused alike, and a second session too", async () => {
  const newcomer = await createNewcomer();
  const other = { ...newcomer, token: await tokenOf(await createApp(), newcomer.username) };
  for (const who of [newcomer, other])
    expect((await api.as(who).post(`/likes/tracks/${song.id}`)).status).toBe(403);
  await confirm(newcomer);
  for (const who of [newcomer, other])
    expect((await api.as(who).post(`/likes/tracks/${song.id}`)).status).toBeLessThan(300);
});

/** Tables with rows of a user that show nothing to others. */
const QUIET = [
  ...["accounts", "site_sessions", "sessions", "mail_tokens", "mails", "consents", "authorization_codes"],
  ...["recent_plays", "user_plays", "event_streams", "stream_events", "news_mails", "news_seen", "operators"],
  ...["operator_entries", "suspensions", "removals", "user_quotas", "former_addresses", "stored_objects"],
  // Their tracks and answers, each guarded where it begins.
  ...["credits", "track_shares", "user_breakdowns", "user_insights", "search_owners"],
  ...["reports", "connection_attempts", "webhook_deliveries"],
];

test("every table with rows of users either refuses those who have yet to confirm, or shows nothing to others", async () => {
  const tables = await sql<{ name: string; guarded: boolean }>(
    `select distinct c.conrelid::regclass::text as name, exists (
       select from pg_trigger t where t.tgrelid = c.conrelid and t.tgname = 'author_is_confirmed') as guarded
     from pg_constraint c where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const open = tables.filter(({ guarded }) => !guarded).map(({ name }) => name);
  expect(open.filter((name) => !QUIET.includes(name))).toEqual([]);
});

test("whatever operation of the API is tried, nobody else sees anything of a newcomer", async () => {
  const newcomer = await createNewcomer();
  const tries = (await operations()).filter(({ method, security }) => security && method !== "GET");
  expect(tries.length).toBeGreaterThan(50);
  for (const operation of tries) {
    const body = operation.body(String(song.id));
    await fetch(stack.urls.api + operation.path(String(song.id)) + operation.requiredQuery, {
      method: operation.method,
      redirect: "manual",
      headers: { Authorization: `OAuth ${newcomer.token}`, ...(body && { "Content-Type": body.type }) },
      ...(body && { body: body.text }),
    });
  }
  const { body } = await api.as(ana).get<Record<string, unknown>>(`/users/${newcomer.id}`);
  expect(body).toMatchObject({ track_count: 0, playlist_count: 0, description: null, website: null });
  const rows = await sql<{ count: number }>(
    `select (select count(*) from comments where user_id = $1) + (select count(*) from favorites where user_id = $1)
       + (select count(*) from reposts where user_id = $1) + (select count(*) from followings where user_id = $1)
       + (select count(*) from uploads where user_id = $1) + (select count(*) from webhooks where user_id = $1) as count`,
    [newcomer.id],
  );
  expect(Number(rows[0]?.count)).toBe(0);
});

test("reading, settings, the export and signing out remain", async () => {
  const newcomer = await createNewcomer();
  expect((await api.as(newcomer).get("/me")).body).toMatchObject({ primary_email_confirmed: false });
  expect((await api.as(newcomer).get(`/tracks/${song.id}/streams`)).status).toBe(200);
  const { html } = await newcomer.browser.get("/settings");
  expect(html).toContain("Until you open the link, you can listen and look around");
  const exported = await newcomer.browser.submit("/settings", "/settings/export");
  expect([exported.status, JSON.parse(exported.html).account.email]).toEqual([200, newcomer.email]);
  const deletion = { current_password: PASSWORD };
  expect((await newcomer.browser.submit("/settings", "/settings/delete", deletion)).status).toBe(303);
});

test("pages say why, and lead to the settings, where the mail is sent again", async () => {
  const newcomer = await createNewcomer();
  await newcomer.browser.enterSite();
  const { permalink } = (await api.as(ana).get<Track>(`/tracks/${song.id}`)).body;
  const page = `/${ana.username}/${permalink}`;
  const refused = await newcomer.browser.submit(page, page, { body: "https://spam.example" });
  expect(refused.status).toBe(403);
  expect(refused.html).toContain("<h1>Confirm your e-mail address first</h1>");
  // The words are not lost.
  expect(refused.html).toContain("https://spam.example</textarea>");
  expect(refused.html).toContain(`href="${stack.urls.auth}/settings#email"`);
  const profile = { username: newcomer.username, country: "" };
  for (const field of ["full_name", "city", "description", "discogs_name", "myspace_name"]) {
    const sent = { ...profile, [field]: "Spam" };
    const saved = await newcomer.browser.submit("/settings", "/settings/profile", sent);
    const isExplained = saved.html.includes("Confirm your e-mail address first");
    expect([field, saved.status, isExplained]).toEqual([field, 403, true]);
  }
  expect((await newcomer.browser.submit("/settings", "/settings/confirmation")).status).toBe(303);
  await expect.poll(async () => (await mailsTo(newcomer.email)).length).toBe(2);
});

test("a mistyped address is changed, and whoever reads it gets no further mail", async () => {
  const newcomer = await createNewcomer();
  await mailTo(newcomer.email, "Confirm");
  const right = `${uniqueName()}@example.com`;
  const change = { email: right, current_password: PASSWORD };
  expect((await newcomer.browser.submit("/settings", "/settings/email", change)).status).toBe(303);
  // Goes to the address that is to be confirmed.
  expect((await newcomer.browser.submit("/settings", "/settings/confirmation")).status).toBe(303);
  await expect.poll(async () => (await mailsTo(right)).length).toBe(2);
  const [newest] = await mailsTo(right);
  expect((await newcomer.browser.submit(newest ? linkIn(newest) : "", "/confirm")).status).toBe(200);
  expect((await api.as(newcomer).post(`/likes/tracks/${song.id}`)).status).toBeLessThan(300);
  expect((await mailsTo(newcomer.email)).map(({ subject }) => subject)).toEqual([
    "Confirm your e-mail address",
  ]);
});

test("a new password is not announced to an address that may be a stranger's", async () => {
  const newcomer = await createNewcomer();
  const change = { current_password: PASSWORD, new_password: `${PASSWORD} more` };
  expect((await newcomer.browser.submit("/settings", "/settings/password", change)).status).toBe(303);
  await newcomer.browser.submit("/settings", "/settings/confirmation");
  await expect.poll(async () => (await mailsTo(newcomer.email)).length).toBe(2);
  const waiting = await sql("select kind from mails where user_id = $1 and kind <> 'confirm'", [newcomer.id]);
  expect(waiting).toEqual([]);
  const subjects = new Set((await mailsTo(newcomer.email)).map(({ subject }) => subject));
  expect([...subjects]).toEqual(["Confirm your e-mail address"]);
});

test("a new password by mail confirms too, because it proves the mailbox", async () => {
  const newcomer = await createNewcomer();
  await newcomer.browser.submit("/forgot", "/forgot", { email: newcomer.email });
  const link = linkIn(await mailTo(newcomer.email, "new password"));
  expect((await newcomer.browser.submit(link, "/reset", { password: `${PASSWORD} anew` })).status).toBe(303);
  const again = { ...newcomer, token: await tokenOf(newcomer.app, newcomer.username) };
  expect((await api.as(again).post(`/likes/tracks/${song.id}`)).status).toBeLessThan(300);
});

test("an operator lets somebody post whose mail never came, and the log says so", async () => {
  const newcomer = await createNewcomer();
  const shown = await operate<{ awaits_confirmation: boolean }>("user show", "--user", String(newcomer.id));
  expect(shown.awaits_confirmation).toBe(true);
  await operate("user admit", "--user", String(newcomer.id), "--reason", "Called us");
  expect((await api.as(newcomer).post(`/likes/tracks/${song.id}`)).status).toBeLessThan(300);
  const acts = await sql("select act, reason from audit_log where target_id = $1", [newcomer.id]);
  expect(acts).toEqual([{ act: "user.admit", reason: "Called us" }]);
});

test("accounts that were there before, and those that operators make, post without a confirmation", async () => {
  const username = uniqueName();
  const given = ["--username", username, "--email", `${username}@example.com`, "--password", PASSWORD];
  await operate("user create", ...given);
  const made = { ...ana, username, token: await tokenOf(ana.app, username) };
  expect((await api.as(made).get("/me")).body).toMatchObject({ primary_email_confirmed: false });
  expect((await createWebhook(made, "https://hooks.example.com/", ["track.failed"])).id).toBeGreaterThan(0);
});
