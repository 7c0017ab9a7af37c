import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { createComment } from "../../api/comments/comments.support.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { readXml } from "../../support/xml.ts";

let ana: Person;
let tracks: number[];

beforeAll(async () => {
  ana = await createUser();
  tracks = [];
  for (let n = 0; n < 3; n++) tracks.push((await createTrack(ana)).id);
  for (const id of tracks) await api.as(ana).post(`/likes/tracks/${id}`);
});

/** The next page of the `Link` header, if any. */
const nextOf = (headers: Headers) => /^<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];

test("a truncated array links to its next page, except the last", async () => {
  const comments = [];
  for (let n = 0; n < 3; n++)
    comments.push((await createComment(ana, { id: tracks[0] ?? 0 }, { body: `${n}` })).id);
  const playlists = [];
  for (let n = 0; n < 3; n++) playlists.push((await createPlaylist(ana)).id);
  for (const [path, ids] of [
    ["/me/tracks", tracks],
    [`/users/${ana.id}/tracks`, tracks],
    ["/me/favorites", tracks],
    ["/me/favorites/ids", tracks],
    ["/me/playlists", playlists],
    ["/me/comments", comments],
    [`/tracks/${tracks[0]}/comments`, comments],
  ] as const) {
    const seen: number[] = [];
    let next: string | undefined = `${path}?limit=2`;
    for (let pages = 0; next && pages < 5; pages++) {
      const { headers, body }: { headers: Headers; body: (number | { id: number })[] } = await api
        .as(ana)
        .get<(number | { id: number })[]>(next);
      seen.push(...body.map((item) => (typeof item === "number" ? item : item.id)));
      next = nextOf(headers);
    }
    expect([path, seen]).toEqual([path, [...ids].reverse()]);
  }
});

test("a page with linked_partitioning has next_href only in its body", async () => {
  const { headers, body } = await api
    .as(ana)
    .get<{ next_href?: string }>("/me/tracks?limit=2&linked_partitioning=yes");
  expect([headers.get("Link"), typeof body.next_href]).toEqual([null, "string"]);
});

test("a page's script may read the link to the next page", async () => {
  const headers = { Authorization: `OAuth ${ana.token}`, Origin: "https://page.example" };
  const reply = await fetch(`${stack.urls.api}/me/tracks?limit=1`, { headers });
  expect(reply.headers.get("Access-Control-Expose-Headers")?.split(", ")).toContain("Link");
  expect(nextOf(reply.headers)).toMatch(/[?&]cursor=/);
});

test("on the older host the next page is XML, too, with the deprecation header", async () => {
  const reply = await fetch(`${stack.urls.older}/me/tracks?limit=2`, {
    headers: { Authorization: `OAuth ${ana.token}` },
  });
  expect(readXml(await reply.text())).toHaveLength(2);
  expect(reply.headers.get("Link")).toMatch(/rel="deprecation"/);
  const next = await fetch(nextOf(reply.headers) ?? "", { headers: { Authorization: `OAuth ${ana.token}` } });
  expect(next.headers.get("Content-Type")).toMatch(/xml/);
  expect(readXml(await next.text())).toHaveLength(1);
});

test("ids without a limit return all of them, up to 200", async () => {
  const ben = await createUser();
  const made: number[] = [];
  for (let n = 0; n < 60; n++) made.push((await createTrack(ben)).id);
  const app = await createAppToken();
  const asked = async (query: string) => (await api.as(app).get<Track[]>(`/tracks?${query}`)).body.length;
  expect(await asked(`ids=${made}`)).toBe(60);
  expect(await asked(`urns=${made.map((id) => `soundcloud:tracks:${id}`)}`)).toBe(60);
  expect(await asked(`ids=${made}&limit=10`)).toBe(10);
  expect((await api.as(app).get<Track[]>(`/users/${ben.id}/tracks`)).body).toHaveLength(50);
  expect((await api.as(app).get<Track[]>(`/users/${ben.id}/tracks?ids=${made}`)).body).toHaveLength(60);
  const sets: number[] = [];
  for (let n = 0; n < 55; n++) sets.push((await createPlaylist(ben)).id);
  expect((await api.as(app).get<Playlist[]>(`/playlists?ids=${sets}`)).body).toHaveLength(55);
});

test("created_at accepts the form of replies and RFC 3339", async () => {
  const [first = 0, second = 0] = tracks;
  const at = async (id: number) => (await api.as(ana).get<Track>(`/tracks/${id}`)).body.created_at;
  const shown = await at(first);
  const instant = new Date(`${shown.slice(0, 19).replaceAll("/", "-").replace(" ", "T")}Z`);
  const iso = (milliseconds: number) => new Date(instant.getTime() + milliseconds).toISOString();
  const found = async (bound: "from" | "to", value: string) => {
    const query = new URLSearchParams({ [`created_at[${bound}]`]: value, ids: `${first}` });
    const { status, body } = await api.as(ana).get<Track[]>(`/tracks?${query}`);
    return [status, body.length];
  };
  for (const same of [
    shown,
    shown.replace(" +", "  "),
    iso(0),
    iso(0).replace(".000Z", "z"),
    iso(0).replace(".000Z", "+00:00"),
    `${iso(2 * 3_600_000).slice(0, 19)}+02:00`,
    `${iso(-5.5 * 3_600_000).slice(0, 19)}-05:30`,
    `${iso(-8 * 3_600_000)
      .slice(0, 19)
      .replaceAll("-", "/")
      .replace("T", " ")} -0800`,
  ])
    expect([same, await found("from", same), await found("to", same)]).toEqual([same, [200, 1], [200, 1]]);
  expect([await found("from", iso(1)), await found("from", iso(1000))]).toEqual([
    [200, 0],
    [200, 0],
  ]);
  expect([await found("to", iso(999)), await found("to", iso(-1))]).toEqual([
    [200, 1],
    [200, 0],
  ]);
  expect(second).toBeGreaterThan(first);
});
