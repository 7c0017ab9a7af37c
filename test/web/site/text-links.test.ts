import { beforeAll, expect, test } from "vitest";
import { createComment } from "../../api/comments/comments.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

/** Addresses, names and moments in texts. `units/text-links.test.ts` has the texts. */

const service = await threeHosts();
const site = `http://web.localhost:${service.port}`;
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const page = (path: string) => service.open().get("web", `/${ana.username}${path}`);

const TEXT = "By @ana, https://a.example/?b=1&c=2 at 0:02 and 9:59";
const ADDRESS =
  '<a href="https://a.example/?b=1&amp;c=2" rel="ugc nofollow noopener" dir="ltr">https://a.example/?b=1&amp;c=2</a>';
const NAME = `<a href="${site}/ana" dir="ltr">@ana</a>`;

/** The text with links, the moment's within the track at `path`. */
const linked = (path: string) =>
  `By ${NAME}, ${ADDRESS} at <a href="${path}?t=2" dir="ltr">0:02</a> and 9:59`;
const UNTIMED = `By ${NAME}, ${ADDRESS} at 0:02 and 9:59`;

test("a track's description and comments lead to people, addresses and the track's moments", async () => {
  const track = await createPlayableTrack(ana, { permalink: "told" });
  const html = `<p>By <b>@ana</b></p>`;
  await api.as(ana).put(`/tracks/${track.id}`, { json: { track: { description: `${html}<p>0:02</p>` } } });
  await createComment(ana, track, { body: TEXT.replace("&", "&amp;") });
  const path = `/${ana.username}/told`;
  const shown = await page("/told");
  expect(shown.html).toContain(`<p>By <b>${NAME}</b></p><p><a href="${path}?t=2" dir="ltr">0:02</a></p>`);
  expect(shown.html).toContain(`<div class="comment-text plain">${linked(path)}</div>`);
  expect(shown.queries).toBe(1);
  const { body } = await api.as(ana).get<{ description: string }>(`/tracks/${track.id}`);
  expect(body.description).toBe(`${html}<p>0:02</p>`);
});

test("a private track's moments keep the secret that opened it", async () => {
  const track = await createPlayableTrack(ana, {
    permalink: "between",
    sharing: "private",
    description: "0:02",
  });
  const path = `/${ana.username}/between/${track.secret}`;
  expect((await page(`/between/${track.secret}`)).html).toContain(`href="${path}?t=2"`);
});

test("moments of a track that cannot be played are no links", async () => {
  await createTrack(ana, { permalink: "encoding", description: TEXT.replace("&", "&amp;") });
  expect((await page("/encoding")).html).toContain(`<div class="description plain">${UNTIMED}</div>`);
});

test("sets and profiles lead to people and addresses alone", async () => {
  const playlist = { title: "Links", description: TEXT.replace("&", "&amp;") };
  await api.as(ana).post("/playlists", { json: { playlist } });
  await sql("update users set description = $2 where id = $1", [ana.id, TEXT]);
  expect((await page("/sets/links")).html).toContain(`<div class="description plain">${UNTIMED}</div>`);
  expect((await page("")).html).toContain(`<p class="description plain">${UNTIMED}</p>`);
});

test("a page that is opened at a moment begins there without a script too", async () => {
  await createPlayableTrack(ana, { permalink: "begun" });
  const sources = async (query: string) =>
    Array.from(
      (await page(`/begun${query}`)).html.matchAll(/<source src="[^"#]+(#[^"]*)?"/g),
      ([, at]) => at,
    );
  expect(await sources("?t=62")).toEqual(["#t=62", "#t=62"]);
  for (const query of ["", "?t=", "?t=%22%3E%3Cb%3E"])
    expect(await sources(query)).toEqual([undefined, undefined]);
});
