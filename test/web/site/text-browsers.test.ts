import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let html: string;

beforeAll(async () => {
  ana = await createUser();
  const track = await createPlayableTrack(ana, { permalink: "read", artist: "The Band" });
  const comment = { body: "Lovely", timestamp: 1500 };
  await api.as(ana).post(`/tracks/${track.id}/comments`, { json: { comment } });
  ({ html } = await service.open().get("web", `/${ana.username}/read`));
});

/** The words as Lynx, w3m and a copied selection show them: without style, scripts and `hidden`. */
const textOf = (page: string): string =>
  page
    .replace(/<head>.*<\/head>|<script.*?<\/script>/gs, "")
    .replace(/<\/?(?:p|div|li|ul|ol|h\d|details|summary|nav|header|footer)\b[^>]*>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/[^\S\n]+/g, " ");

test("links and dates beside each other stay words of their own without the style", async () => {
  const text = textOf(html);
  expect(text).toContain("Discover Sign in Sign up\n");
  expect(text).toContain(`The Band by ${ana.username}\n`);
  expect(text).toMatch(new RegExp(`${ana.username} at 0:01 \\d+ [A-Z]`));
  expect(text).toContain("Like Repost Add to set");
  expect(text).toContain("Terms Privacy Status Report Developers\n");
  const { html: profile } = await service.open().get("web", `/${ana.username}`);
  expect(textOf(profile)).toContain("Tracks 1 Sets 0 Reposts 0 Likes Followers 0 Following 0\n");
});

test("no link or button continues the word before it, on pages of visitors, owners and accounts", async () => {
  const [visitor, owner] = [service.open(), await service.enter(ana)];
  await owner.signInAt(ana.id);
  const edit = `/${ana.username}/read/edit`;
  const pages = await Promise.all([
    ...["/", "/discover", "/search?q=read"].map((path) => visitor.get("web", path)),
    ...["/", "/you/tracks", "/you/sets", edit].map((path) => owner.get("web", path)),
    owner.get("auth", "/settings"),
  ]);
  for (const page of pages) {
    expect(page.status).toBe(200);
    expect(page.html.match(/[^<>]*\w<\/(?:a|button)><(?:a|button)\b[^>]*>\w[^<]*/g)).toBeNull();
  }
});

test("a finished track is not said to be encoded where `hidden` means nothing", () => {
  expect(textOf(html)).not.toContain("still being encoded");
});

test("a browser that knows no `audio` gets a link to the MP3", () => {
  expect(html).toMatch(/<audio [^>]*>(?:<source [^>]*>)*<a href="[^"]+\/audio\.mp3">Play the audio<\/a>/);
});
