import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Played } from "../../../functions/web/embed/playback.ts";
import type { Oembed } from "../../../functions/web/embed/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";

let ana: Person;
let shown: StoredTrack;
let hidden: StoredTrack;
let set: Playlist;

beforeAll(async () => {
  ana = await createUser();
  hidden = await createPlayableTrack(ana, { title: "Hidden", sharing: "private" });
  shown = await createPlayableTrack(ana, { title: "Shown", sharing: "public" });
  const tracks = [{ id: hidden.id }, { id: shown.id }];
  const json = { playlist: { title: "Both", sharing: "private", tracks } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
});

const ask = (path: string, query: Record<string, string> = {}) =>
  fetch(`${stack.urls.api}${path}?${new URLSearchParams(query)}`, { redirect: "manual" });

async function titlesOf(query: Record<string, string>): Promise<string[]> {
  const reply = await ask("/player/sounds", query);
  return ((await reply.json()) as Track[]).map(({ title }) => title);
}

test("the sounds of a set are those that its visitor may hear, in its order", async () => {
  expect(await titlesOf({ url: `${set.uri}?secret_token=${set.secret_token}` })).toEqual(["Hidden", "Shown"]);
  expect(await titlesOf({ url: set.uri, secret_token: set.secret_token ?? "" })).toEqual(["Hidden", "Shown"]);
  expect((await ask("/player/sounds", { url: set.uri })).status).toBe(404);
});

test("the private link of a public set gives an embed that plays the private tracks, too", async () => {
  const json = { playlist: { title: "Open", tracks: [{ id: hidden.id }, { id: shown.id }] } };
  const open = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const link = `${open.permalink_url}/${open.secret_token}`;
  const embed = await api.get<Oembed>(`/oembed?${new URLSearchParams({ url: link })}`);
  expect(embed.headers.get("Cache-Control")).toBe("private, no-store");
  const page = (await (await fetch(link)).text()).replaceAll("&amp;", "&");
  expect(page).toContain(`/oembed?${new URLSearchParams({ url: link })}&format=json`);
  expect(page).toContain(`<link rel="canonical" href="${open.permalink_url}"`);
  for (const [, src = ""] of [
    /src="([^"]*)"/.exec(embed.body.html) ?? [],
    /name="twitter:player" content="([^"]*)"/.exec(page) ?? [],
  ])
    expect(await (await fetch(src)).text()).toContain("Hidden");
  const { body, headers } = await api.get(`/oembed?${new URLSearchParams({ url: open.permalink_url })}`);
  expect(headers.get("Cache-Control")).toBe("public, max-age=300");
  expect(JSON.stringify(body)).not.toContain(open.secret_token);
});

test("the sounds of a user are the public ones, and no reply holds a secret", async () => {
  const url = `${stack.urls.api}/users/${ana.id}`;
  expect(await titlesOf({ url })).toEqual(["Shown"]);
  const reply = await ask("/player/sounds", {
    url: `${stack.urls.api}/tracks/${hidden.id}?secret_token=${hidden.secret}`,
  });
  const text = await reply.text();
  expect(text).toContain("Hidden");
  expect(text).not.toContain(hidden.secret);
  expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
  expect(reply.headers.get("Access-Control-Allow-Origin")).toBe(null);
});

test("what its owner lets nobody embed has no sounds", async () => {
  const closed = await createPlayableTrack(ana, { sharing: "public", embeddable_by: "none" });
  expect((await ask("/player/sounds", { url: `${stack.urls.api}/tracks/${closed.id}` })).status).toBe(404);
  const gone = await createUser();
  await createPlayableTrack(gone, { sharing: "public" });
  await sql("update users set disabled_at = now() where id = $1", [gone.id]);
  expect((await ask("/player/sounds", { url: `${stack.urls.api}/users/${gone.id}` })).status).toBe(404);
});

test("any site may include the script, whose address lasts", async () => {
  const reply = await ask("/player/api.js");
  expect(reply.status).toBe(302);
  expect(reply.headers.get("Cache-Control")).toBe("public, max-age=300");
  const script = await fetch(new URL(reply.headers.get("Location") ?? "", stack.urls.api));
  for (const { headers } of [reply, script]) {
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  }
  expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(await script.text()).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\);\s*$/s);
});

test("a title cannot leave the block of data that the script reads", async () => {
  const { id } = await createPlayableTrack(ana, { title: "</script><b>bold</b>", sharing: "public" });
  const reply = await ask("/player/", { url: `${stack.urls.api}/tracks/${id}` });
  const [, block = ""] =
    /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(await reply.text()) ?? [];
  expect((JSON.parse(block) as { sound: Track }).sound.title).toBe("</script><b>bold</b>");
});

/** Reads what a page of the player plays, and the links of its list by title. */
async function readPlayer(address: string) {
  const html = await (await fetch(new URL(address, stack.urls.api))).text();
  const [, block = ""] = /data-block="played">([^<]*)</.exec(html) ?? [];
  const links = [...html.matchAll(/<a href="([^"]*)" data-id="\d+" data-title="([^"]*)"/g)];
  const hrefs = new Map(links.map(([, href = "", title = ""]) => [title, href.replaceAll("&amp;", "&")]));
  return { played: JSON.parse(block) as Played, hrefs };
}

const playerOf = (url: string, more = "") => `/player/?url=${encodeURIComponent(url)}${more}`;

test("a link of the list plays its own track after others were added or removed", async () => {
  const bo = await createUser();
  const page = `${stack.urls.api}/users/${bo.id}`;
  for (const title of ["Oldest", "Older"]) await createPlayableTrack(bo, { title, sharing: "public" });
  const { hrefs } = await readPlayer(playerOf(page));
  const newest = await createPlayableTrack(bo, { title: "Newest", sharing: "public" });
  const { played } = await readPlayer(hrefs.get("Oldest") ?? "");
  expect([played.sound?.title, played.index]).toEqual(["Oldest", 2]);
  const later = await readPlayer(playerOf(page));
  await api.as(bo).delete(`/tracks/${newest.id}`);
  const gone = await readPlayer(later.hrefs.get("Newest") ?? "");
  expect([gone.played.sound, gone.played.sources]).toEqual([null, undefined]);
  expect(gone.played.trouble).toBe("This track is no longer in this list.");
  expect((await readPlayer(playerOf(page, `&track_id=${shown.id}`))).played.sound).toBe(null);
});

test("a set begins with the first track that may be played on other sites", async () => {
  const closed = await createPlayableTrack(ana, { sharing: "public", embeddable_by: "none" });
  const json = { playlist: { title: "Mixed", tracks: [{ id: closed.id }, { id: shown.id }] } };
  const mixed = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  const { played } = await readPlayer(playerOf(mixed.uri));
  expect([played.sound?.title, played.index, played.trouble]).toEqual(["Shown", 1, undefined]);
});
