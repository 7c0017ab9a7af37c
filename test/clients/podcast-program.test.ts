import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlaylist, named } from "../api/playlists/playlists.ts";
import { api } from "../support/api.ts";
import { requirePackage, succeeds } from "../support/debian.ts";
import { createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { uploadFinishedTrack } from "../support/tracks.ts";

const run = promisify(execFile);

let directory: string;
let ana: Person;

beforeAll(async () => {
  await requirePackage("podget", {
    purpose: "a podcast program",
    isInstalled: () => succeeds("sh", "-c", "command -v podget"),
  });
  directory = await mkdtemp(join(tmpdir(), "soundpost-podget-"));
  ana = await createUser();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const podget = (own: string, ...words: string[]) =>
  run("podget", ["-d", own, "--dir_session", own, ...words]);

/** Subscribes podget to a feed. It names files by the last part of their addresses. */
async function subscribe(name: string, feed: string) {
  const own = join(directory, name);
  const library = join(own, "library");
  mkdirSync(library, { recursive: true });
  await podget(own, "--create-config", "podgetrc");
  // A line is an address, a category and a name.
  writeFileSync(join(own, "serverlist"), `${feed} Music ${name}\n`);
  return {
    update: () => podget(own, "--library", library, "--no-playlist"),
    episodes: () =>
      readdirSync(join(library, "Music", name)).map((file) =>
        readFileSync(join(library, "Music", name, file)),
      ),
  };
}

const audioOf = async (path: string) => Buffer.from(await (await fetch(stack.urls.web + path)).arrayBuffer());

test("podget of Debian subscribes to a user's feed and downloads each episode whole, once", async () => {
  const tracks = [
    await uploadFinishedTrack(ana, { title: "One" }),
    await uploadFinishedTrack(ana, { title: "Two" }),
  ];
  const { update, episodes } = await subscribe("user", `${stack.urls.web}/${ana.username}/feed.xml`);
  await update();
  const audio = tracks.map(({ permalink }) => audioOf(`/${ana.username}/${permalink}/audio.mp3`));
  expect(episodes()).toEqual(await Promise.all(audio));
  await update();
  expect(episodes()).toHaveLength(2);
});

test("podget opens a private set's feed by its secret, and gets what is in it", async () => {
  const track = await uploadFinishedTrack(ana, { title: "Diary", sharing: "private" });
  const set = await createPlaylist(ana, { sharing: "private", tracks: named([track.id]) });
  const path = `/${ana.username}/sets/${set.permalink}`;
  const { update, episodes } = await subscribe(
    "set",
    `${stack.urls.web}${path}/${set.secret_token}/feed.xml`,
  );
  await update();
  const [episode] = episodes();
  expect(
    episode?.equals(await audioOf(`/${ana.username}/${track.permalink}/${track.secret_token}/audio.mp3`)),
  ).toBe(true);
});

test("podget follows the address that a podcast's page offers, and the feed leads to what is said", async () => {
  const track = await uploadFinishedTrack(ana, { title: "Talk" });
  const set = await createPlaylist(ana, { title: "Talks", tracks: named([track.id]) });
  await api.as(ana).put(`/playlists/${set.id}/podcast`, { json: { podcast: { category: "Arts" } } });
  const content = "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ana>Hello";
  await api.as(ana).put(`/tracks/${track.id}/transcript`, { json: { transcript: { content } } });
  const page = await (await fetch(`${stack.urls.web}/${ana.username}/sets/${set.permalink}`)).text();
  const [, address = ""] = /href="podcast:\/\/([^"]+)"/.exec(page) ?? [];
  const feed = `http://${address}`;
  const { update, episodes } = await subscribe("show", feed);
  await update();
  expect(episodes()).toEqual([await audioOf(`/${ana.username}/${track.permalink}/audio.mp3`)]);
  const [, transcript = ""] =
    /<podcast:transcript url="([^"]+\.vtt)"/.exec(await (await fetch(feed)).text()) ?? [];
  expect(await (await fetch(transcript)).text()).toContain("<v Ana>Hello");
});
