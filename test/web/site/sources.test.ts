import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Sources } from "../../../functions/web/pages/permalinks/sources.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack, uploadFinishedTrack } from "../../support/tracks.ts";
import { type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let open: Track;
let secret: Track;

beforeAll(async () => {
  ana = await createUser();
  open = await uploadFinishedTrack(ana, { title: "Open", sharing: "public" });
  secret = await uploadFinishedTrack(ana, { title: "Secret", sharing: "private" });
});

const ask = (browser: ThreeHostsBrowser, id: number, query = "") =>
  browser.get("web", `/you/sources/${id}${query}`);

async function sourcesFor(browser: ThreeHostsBrowser, id: number, query = ""): Promise<Sources> {
  const { status, html } = await ask(browser, id, query);
  expect(status).toBe(200);
  return JSON.parse(html);
}

async function signedIn(person: Person) {
  const browser = service.open();
  await browser.signInAt(person.id);
  await browser.follow("web", "/session/new");
  return browser;
}

test("a visitor gets signed addresses of a public track, its words and its length", async () => {
  const found = await sourcesFor(service.open(), open.id);
  expect(found).toMatchObject({
    id: open.id,
    state: "finished",
    isPreview: false,
    title: "Open",
    artist: ana.username,
    durationMs: open.duration,
    trackMs: open.duration,
    lufs: expect.any(Number),
    page: expect.stringMatching(/\/open$/),
    waveform: expect.stringMatching(/waveform\.png$/),
  });
  for (const address of [found.hls, found.mp3])
    expect((await service.ask("api", new URL(address ?? "").pathname)).status).toBe(200);
});

test("sources bring the chapters that the track's page lists, in one round trip", async () => {
  const tells = async (browser = service.open(), query = "") => {
    const { html, queries } = await ask(browser, secret.id, query);
    return [JSON.parse(html).chapters, queries];
  };
  const owner = await signedIn(ana);
  const put = (chapters: object[]) =>
    api.as(ana).put(`/tracks/${secret.id}/chapters`, { json: { chapters } });
  expect(await tells(owner)).toEqual([undefined, 1]);
  await put([{ startTime: 0, title: "A picture only", toc: false }]);
  expect(await tells(owner)).toEqual([undefined, 1]);
  await put([{ startTime: 0, title: "Begin" }]);
  const begin = { start: 0, title: "Begin" };
  expect(await tells(owner)).toEqual([[begin], 1]);
  expect(await tells(service.open(), `?secret_token=${secret.secret_token}`)).toEqual([[begin], 1]);
  await api.as(ana).delete(`/tracks/${secret.id}/chapters`);
  const description = "0:00 Begin<br>0:01 End";
  await api.as(ana).put(`/tracks/${secret.id}`, { json: { track: { description } } });
  expect(await tells(owner)).toEqual([[begin, { start: 1_000, title: "End" }], 1]);
});

test("a private track has sources for its owner and for holders of its secret only", async () => {
  expect((await ask(service.open(), secret.id)).status).toBe(404);
  expect((await ask(await signedIn(await createUser()), secret.id)).status).toBe(404);
  expect((await sourcesFor(await signedIn(ana), secret.id)).title).toBe("Secret");
  const byLink = await sourcesFor(service.open(), secret.id, `?secret_token=${secret.secret_token}`);
  expect(byLink.page).toMatch(new RegExp(`/secret/${secret.secret_token}$`));
});

test("a session that has ended reads as a visitor", async () => {
  const bea = await createUser();
  const own = await uploadFinishedTrack(bea, { sharing: "private" });
  const browser = await signedIn(bea);
  expect((await ask(browser, own.id)).status).toBe(200);
  await sql("update sessions set revoked_at = now() where user_id = $1", [bea.id]);
  expect((await ask(browser, own.id)).status).toBe(404);
  expect((await sourcesFor(browser, open.id)).title).toBe("Open");
  expect(browser.jars.web.size).toBe(0);
});

test("a preview's length is that of the preview, and it has no other addresses", async () => {
  const track = await uploadFinishedTrack(ana);
  await sql("update tracks set paywall = 'preview' where id = $1", [track.id]);
  const found = await sourcesFor(service.open(), track.id);
  expect(found).toMatchObject({ isPreview: true, mp3: expect.stringMatching(/preview\.mp3$/) });
  expect(found).not.toHaveProperty("hls");
});

test("a track that cannot be played has a state and no addresses", async () => {
  const blocked = await uploadFinishedTrack(ana, { streamable: false });
  const waiting = await createTrack(ana, {});
  await sql("update tracks set state = 'processing' where id = $1", [waiting.id]);
  for (const [id, state] of [
    [blocked.id, "blocked"],
    [waiting.id, "processing"],
  ] as const) {
    const found = await sourcesFor(service.open(), id);
    expect(found.state).toBe(state);
    expect([found.hls, found.mp3]).toEqual([undefined, undefined]);
  }
});

test("pages of accounts and docs may read them, and no other site's", async () => {
  const ask = async (Origin: string) => {
    const { headers } = await service.ask("web", `/you/sources/${open.id}`, { headers: { Origin } });
    return [headers.get("Access-Control-Allow-Origin"), headers.get("Access-Control-Allow-Credentials")];
  };
  for (const host of ["auth", "api"]) {
    const origin = `http://${host}.localhost:${service.port}`;
    expect(await ask(origin)).toEqual([origin, "true"]);
  }
  for (const origin of ["https://evil.example", `http://web.localhost.evil.example:${service.port}`, "null"])
    expect(await ask(origin)).toEqual([null, null]);
});
