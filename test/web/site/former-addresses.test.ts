import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { get, playable } from "../../api/media/media-files.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { resolvedTo } from "../../api/resolve/resolve.support.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, textIn } from "./podcasts.support.ts";
import { type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();

const at = (path: string) => stack.urls.api + path;

/** Status and target, without following. */
async function led(path: string, headers: Record<string, string> = {}, method = "GET") {
  const reply = await fetch(at(path), { method, headers, redirect: "manual" });
  const target = reply.headers.get("Location");
  return [reply.status, target === null ? null : target.replace(stack.urls.api, "")];
}

const move = (who: Person, path: string, permalink: string) =>
  api.as(who).put(`${path}/permalink`, { json: { permalink } });

let ana: Person;
let old: string;
let song: StoredTrack;
let hidden: StoredTrack;
let set: { id: number };
let name: string;

beforeAll(async () => {
  ana = await createUser();
  old = ana.username;
  name = `${old}-now`;
  song = await playable(ana, {
    permalink: "song",
    title: "Song",
    description: "<p>0:00 In</p><p>0:05 Out</p>",
  });
  hidden = await playable(ana, { permalink: "hidden", sharing: "private" });
  set = await createPlaylist(ana, { title: "Summer", tracks: [{ id: song.id }] });
  await move(ana, `/tracks/${song.id}`, "song-2");
  await move(ana, `/tracks/${song.id}`, "song-3");
  await move(ana, `/tracks/${hidden.id}`, "hidden-2");
  await move(ana, `/playlists/${set.id}`, "summer-2");
  await move(ana, "/me", name);
});

describe("a former address of the site", () => {
  test("301: leads straight to the present one, in any case of letters, with what follows and the query", async () => {
    for (const [path, to] of [
      [`/${old}`, `/${name}`],
      [`/${old.toUpperCase()}`, `/${name}`],
      [`/${old}/sets?q=1`, `/${name}/sets?q=1`],
      [`/${old}/song`, `/${name}/song-3`],
      [`/${old}/song-2?thread=1`, `/${name}/song-3?thread=1`],
      [`/${name}/SONG`, `/${name}/song-3`],
      [`/${old}/song-3`, `/${name}/song-3`],
      [`/${old}/sets/summer`, `/${name}/sets/summer-2`],
      [`/${old}/song/audio.mp3`, `/${name}/song-3/audio.mp3`],
      [`/${old}/song-2/song-2.mp3`, `/${name}/song-3/song-3.mp3`],
      [`/${old}/feed.xml`, `/${name}/feed.xml`],
      [`/${old}/sets/summer/feed.xml`, `/${name}/sets/summer-2/feed.xml`],
    ])
      for (const method of ["GET", "HEAD"])
        expect([method, path, ...(await led(path ?? "", {}, method))]).toEqual([method, path, 301, to]);
  });

  test("has the chapters themselves", async () => {
    expect((await led(`/${old}/song/chapters.json`))[0]).toBe(200);
  });

  test("is not kept by browsers, which would go in circles once its owner returns to it", async () => {
    for (const path of [`/${old}`, `/${old}/feed.xml`, `/${old}/song/audio.mp3`]) {
      const { headers } = await fetch(at(path), { redirect: "manual" });
      expect([path, headers.get("Cache-Control")]).toEqual([path, "private, no-cache"]);
    }
  });

  test("of a private track works with its secret alone, which the redirect keeps", async () => {
    expect(await led(`/${old}/hidden`)).toEqual([404, null]);
    expect(await led(`/${old}/hidden/s-wrong`)).toEqual([404, null]);
    const present = `/${name}/hidden-2/${hidden.secret}`;
    expect(await led(`/${old}/hidden/${hidden.secret}`)).toEqual([301, present]);
    expect((await led(present))[0]).toBe(200);
    expect(await led(`/${old}/hidden/${hidden.secret}/audio.mp3`)).toEqual([301, `${present}/audio.mp3`]);
  });

  test("names the same by /resolve, oEmbed and the player", async () => {
    expect(await resolvedTo(ana, at(`/${old}`))).toEqual([200, ana.id]);
    expect(await resolvedTo(ana, at(`/${old}/song-2`))).toEqual([200, song.id]);
    expect(await resolvedTo(ana, at(`/${old}/sets/summer`))).toEqual([200, set.id]);
    const { body } = await api.get<{ title: string; html: string }>(
      `/oembed?${new URLSearchParams({ url: at(`/${old}/song`) })}`,
    );
    expect(body.title).toContain("Song");
    const player = await get(at(`/player?${new URLSearchParams({ url: at(`/${old}/song`) })}`));
    expect([player.status, player.bytes.toString()]).toEqual([
      200,
      expect.stringContaining(`/${name}/song-3`),
    ]);
  });

  test("is named by no feed and no sitemap, and an episode keeps its guid and its podcast's", async () => {
    const { bytes } = await get(at(`/${name}/feed.xml`));
    expect(bytes.toString()).not.toMatch(new RegExp(`/${old}/|/song-2`));
    const channel = child(parseXml(bytes.toString()), "channel");
    expect(childrenOf(channel, "item").map((item) => textIn(item, "guid"))).toEqual([
      `soundcloud:tracks:${song.id}`,
    ]);
    const guid = textIn(channel, "podcast:guid");
    // The reply comes before the guid is stored.
    await expect
      .poll(() => sql("select podcast_guid as stored from users where id = $1", [ana.id]))
      .toEqual([{ stored: guid }]);
    await move(ana, "/me", `${old}-then`);
    const again = child(parseXml((await get(at(`/${old}-then/feed.xml`))).bytes.toString()), "channel");
    expect(textIn(again, "podcast:guid")).toBe(guid);
    await move(ana, "/me", name);
  });

  test("ends with what it led to: 404 after deletion, takedown and suspension", async () => {
    const gone = await createPlayableTrack(ana, { permalink: "gone" });
    await move(ana, `/tracks/${gone.id}`, "gone-2");
    expect((await led(`/${name}/gone`))[0]).toBe(301);
    await operate("track take-down", "--track", String(gone.id), "--reason", "Somebody else's");
    expect(await led(`/${name}/gone`)).toEqual([404, null]);
    await api.as(ana).delete(`/tracks/${gone.id}`);
    expect(await led(`/${name}/gone`)).toEqual([404, null]);
    const ben = await createUser();
    await move(ben, "/me", `${ben.username}-2`);
    await operate("user suspend", "--user", `${ben.username}-2`, "--reason", "Spam");
    expect(await led(`/${ben.username}`)).toEqual([404, null]);
  });
});

describe("the forms", () => {
  let browser: ThreeHostsBrowser;
  let owner: Person;

  beforeAll(async () => {
    owner = await createUser();
    browser = await service.open().enterSite(owner.id);
  });

  test("change the address of a track, name the former one, and say beside the field what is wrong", async () => {
    const { id } = await createPlayableTrack(owner, { permalink: "formed" });
    const form = `/you/address?track=${id}`;
    expect((await browser.get("web", `/${owner.username}/formed/edit`)).html).toContain(form);
    const saved = await browser.submit(form, form, { permalink: " Formed-Again " });
    expect([saved.status, saved.location?.pathname]).toEqual([303, `/${owner.username}/formed-again`]);
    expect((await browser.get("web", form)).html).toContain(`/${owner.username}/formed<`);
    const refused = await browser.submit(form, form, { permalink: "sets" });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="address-permalink-problem">.*Address is reserved/);
  });

  test("change the address of a set and of the profile", async () => {
    const made = await createPlaylist(owner, { title: "Formed" });
    const ofSet = `/you/address?set=${made.id}`;
    expect((await browser.submit(ofSet, ofSet, { permalink: "moved" })).location?.pathname).toBe(
      `/${owner.username}/sets/moved`,
    );
    const to = `${owner.username}-moved`;
    const saved = await browser.submit("/you/address", "/you/address", { permalink: to });
    expect([saved.status, saved.location?.pathname]).toEqual([303, `/${to}`]);
    expect((await browser.get("auth", "/settings")).html).toContain("/you/address");
  });

  test("are the owner's: 404 for others, the sign-in for visitors", async () => {
    const other = await createPlayableTrack(ana, { sharing: "private" });
    for (const page of ["address", "replace", "take-place"]) {
      const path = `/you/${page}?track=${other.id}`;
      expect((await browser.get("web", path)).status).toBe(404);
      expect((await service.open().get("web", path)).location?.searchParams.get("next")).toBe(path);
    }
  });

  test("let an upload take a place, from either track", async () => {
    const [first, second, third] = [
      await createPlayableTrack(owner, { title: "First", permalink: "place" }),
      await createPlayableTrack(owner, { title: "Second", sharing: "private" }),
      await createPlayableTrack(owner, { title: "Third", sharing: "private" }),
    ];
    const replace = `/you/replace?track=${first.id}`;
    expect((await browser.get("web", `/upload?replaces=${first.id}`)).html).toContain("“First”");
    expect((await browser.submit(replace, replace, { track: "" })).status).toBe(422);
    const replaced = await browser.submit(replace, replace, { track: String(second.id) });
    expect([replaced.status, replaced.location?.pathname.endsWith("/place")]).toEqual([303, true]);
    const takePlace = `/you/take-place?track=${third.id}`;
    const taken = await browser.submit(takePlace, takePlace, { track: String(second.id) });
    expect([taken.status, taken.location?.pathname.endsWith("/place")]).toEqual([303, true]);
    const { body } = await api.as(owner).get<Track[]>("/me/tracks");
    expect(body.filter(({ permalink }) => permalink === "place").map(({ id }) => id)).toEqual([third.id]);
  });
});

test("a superseded episode keeps its guid, enclosure and date in the feed, so that apps list it once", async () => {
  const owner = await createUser();
  const first = await playable(owner, { permalink: "pilot", title: "Pilot" });
  const itemOf = async () => {
    const { bytes } = await get(at(`/${owner.username}/feed.xml`));
    const items = childrenOf(child(parseXml(bytes.toString()), "channel"), "item");
    return items.map((item) => [
      textIn(item, "guid"),
      child(item, "enclosure").attributes.url,
      textIn(item, "pubDate"),
    ]);
  };
  const before = await itemOf();
  const second = await playable(owner, { sharing: "private", title: "Pilot, mended" });
  await api.as(owner).post(`/tracks/${second.id}/supersede`, { json: { superseded_id: first.id } });
  expect(await itemOf()).toEqual(before);
  const third = await playable(owner, { sharing: "private" });
  await api.as(owner).post(`/tracks/${third.id}/supersede`, { json: { superseded_id: second.id } });
  expect(await itemOf()).toEqual(before);
  expect((await get(before[0]?.[1] ?? "")).status).toBe(200);
});

test("an account's export has its former addresses", async () => {
  const owner = await createUser();
  await move(owner, "/me", `${owner.username}-2`);
  const browser = await service.open().enterSite(owner.id);
  const form_token = tokenIn((await browser.get("auth", "/settings")).html, "/settings/export");
  const { html } = await browser.post("auth", "/settings/export", { form_token });
  expect(JSON.parse(html).former_permalinks).toEqual([
    { permalink: owner.username, track_id: null, playlist_id: null, left_at: expect.any(String) },
  ]);
});
