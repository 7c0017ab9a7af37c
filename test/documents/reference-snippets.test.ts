import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toneFile } from "../../workers/build/tone.ts";
import { feedOf, ownerOf, startFeedServer } from "../api/imports/feed-server.ts";
import { newEmail } from "../api/imports/imports.support.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { isFull } from "../support/repeats.ts";
import {
  type Block,
  blocksOf,
  runCurls,
  runPythons,
  runTypeScripts,
  type Statuses,
} from "../support/snippets.ts";
import { stack } from "../support/stack.ts";
import { createPlayableTrack, createReadyUpload } from "../support/tracks.ts";

const directory = mkdtempSync(join(tmpdir(), "soundpost-snippets-"));
let blocks: Block[];

const textOf = async (path: string) => (await fetch(stack.urls.api + path)).text();

beforeAll(async () => {
  const pages = [...(await textOf("/llms.txt")).matchAll(/\((\S+\/docs\/reference\/\S+\.md)\)/g)];
  const texts = await Promise.all(pages.map(([, url = ""]) => textOf(new URL(url).pathname)));
  blocks = texts.flatMap(blocksOf);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A reader with a track, a playlist and a comment, whose ids replace those of the examples. */
async function createReader() {
  const ana = await createUser({ plan: "artist" });
  const track = await createPlayableTrack(ana);
  const made = async (path: string, json: object) =>
    (await api.as(ana).post<{ id: number }>(path, { json })).body.id;
  const playlist = await made("/playlists", { playlist: { title: "A", tracks: [{ id: track.id }] } });
  await api.as(ana).put(`/playlists/${playlist}/podcast`, { json: { podcast: { category: "Music" } } });
  const content = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello";
  await api.as(ana).put(`/tracks/${track.id}/transcript`, { json: { transcript: { content } } });
  const comment = await made(`/tracks/${track.id}/comments`, { comment: { body: "A" } });
  const { body } = await api.as(ana).get<{ permalink_url: string }>(`/tracks/${track.id}`);
  const server = await startFeedServer();
  const episode = { guid: "1", url: `${server.origin}/1.mp3` };
  const feed = { bytes: feedOf("Night Trains", ownerOf(newEmail()), [episode]) };
  const upload = await createReadyUpload(ana, new Blob([new Uint8Array(toneFile())]), "tone.wav");
  return {
    ana,
    ids: { tracks: track.id, playlists: playlist, comments: comment, users: ana.id },
    others: {
      page: body.permalink_url,
      upload: upload.id,
      user: (await createUser()).id,
      older: (await createPlayableTrack(ana)).id,
      feed: server.serve("/feed.xml", feed),
    },
  };
}

type Reader = Awaited<ReturnType<typeof createReader>>;

/** The example with the names and ids of what the reader has. */
const withOwn = ({ code }: Block, { ana, ids, others }: Reader): string =>
  code
    .replaceAll(/\/(tracks|playlists|users|comments)\/\d+/g, (_, kind: "tracks") => `/${kind}/${ids[kind]}`)
    .replaceAll("338914811904001", String(ids.tracks))
    .replaceAll("338914811903001", String(others.older))
    .replaceAll("338914811904100", String(ids.comments))
    .replaceAll("338914811904777", String(others.user))
    .replaceAll("338914811904200", String(others.upload))
    .replaceAll("https://feeds.example/night-trains.xml", others.feed)
    .replaceAll(/(username"?: ?)"ana"/g, `$1"${ana.username}"`)
    .replaceAll(
      encodeURIComponent("https://soundpost.example/ana/night-train"),
      encodeURIComponent(others.page),
    );

/** Replies of operations on things that the reader has not: the request was right, the thing is not there. */
const ABSENT = [404, 409, 410];

function check(language: string, ran: Block[], statuses: Statuses): void {
  expect(statuses.length).toBe(ran.length);
  const wrong = ran.flatMap(({ operation }, place) => {
    const status = statuses[place] ?? 0;
    const fine = status < 400 || ABSENT.includes(status);
    return fine && status >= 200 ? [] : [`${language} ${operation}: ${status}`];
  });
  expect(wrong).toEqual([]);
}

const LANGUAGES: [string, (codes: string[], env: { TOKEN: string }) => Promise<Statuses>][] = [
  ["sh", (codes, env) => runCurls(codes, env, directory)],
  ["ts", runTypeScripts],
  ["python", runPythons],
];

/** The usual run takes each operation in one language. Examples of the same operation differ in syntax only. */
const isTried = (operation: number, language: string) =>
  isFull || operation % LANGUAGES.length === LANGUAGES.findIndex(([name]) => name === language);

/** Statuses of all examples that ran. */
const answered: Statuses = [];

test.each(LANGUAGES)(
  "each example of the reference in %s is a request that the service accepts",
  async (language, run) => {
    const reader = await createReader();
    // Deletions come last, so that what they delete is there for the others.
    const ran = blocks
      .filter((block) => block.language === language)
      .filter((_, place) => isTried(place, language))
      .sort((a, b) => Number(a.operation.startsWith("DELETE")) - Number(b.operation.startsWith("DELETE")));
    const statuses = await run(
      ran.map((block) => withOwn(block, reader)),
      { TOKEN: tokenOf(reader.ana) },
    );
    check(language, ran, statuses);
    answered.push(...statuses);
  },
);

test("most examples lead to something that is there", () => {
  expect(answered.length).toBeGreaterThan(100);
  expect(answered.filter((status) => status < 400).length / answered.length).toBeGreaterThan(0.7);
});

const tokenOf = ({ token }: Person) => token;

test("each operation has the same examples in three languages", () => {
  const named = (language: string) =>
    blocks.filter((block) => block.language === language).map(({ operation }) => operation);
  expect(named("ts")).toEqual(named("sh"));
  expect(named("python")).toEqual(named("sh"));
});
