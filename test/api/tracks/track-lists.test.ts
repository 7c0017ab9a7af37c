import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { type Asking, allPages, listed, listHref, type Page, uniqueWord } from "./lists.support.ts";

let owner: Person;
let other: Person;
let app: { token: string };

beforeAll(async () => {
  [owner, other, app] = await Promise.all([createUser(), createUser(), createAppToken()]);
});

const track = async (columns: Record<string, unknown> = {}) => (await createTrack(owner, columns)).id;

describe("private and failed tracks, and those of users who left, are in no list (X10)", () => {
  const word = uniqueWord();
  let open: StoredTrack;
  let hidden: StoredTrack;
  let failed: StoredTrack;

  beforeAll(async () => {
    const columns = { title: word, genre: word, tag_list: word, bpm: 123 };
    open = await createTrack(owner, columns);
    hidden = await createTrack(owner, { ...columns, sharing: "private" });
    failed = await createTrack(owner, { ...columns, state: "failed" });
  });

  const everywhere = (): [Record<string, unknown>, string][] => [
    [{ q: word }, "/tracks"],
    [{ q: `"${word}"` }, "/tracks"],
    [{ genres: word }, "/tracks"],
    [{ tags: word, access: "playable,preview,blocked" }, "/tracks"],
    [{ ids: [open.id, hidden.id, failed.id].join() }, "/tracks"],
    [{ ids: [open.id, hidden.id, failed.id].join(), q: word, sort: "desc" }, "/tracks"],
    [{ "bpm[from]": 123, "bpm[to]": 123, genres: word }, "/tracks"],
    [{ q: word, secret_token: hidden.secret }, "/tracks"],
    [{}, `/users/${owner.id}/tracks`],
    [{ q: word }, `/users/${owner.id}/tracks`],
    [{ genres: word }, `/users/${owner.id}/tracks`],
  ];

  const seenBy = async (who: Asking, more: Record<string, unknown> = {}) => {
    const lists: number[][] = [];
    for (const [parameters, path] of everywhere()) {
      const ids = await listed(who, { ...parameters, ...more }, path);
      lists.push(ids.filter((id) => [open.id, hidden.id, failed.id].includes(id)));
    }
    return new Set(lists.map((ids) => JSON.stringify(ids)));
  };

  test("stay hidden from strangers and apps, whatever they ask for", async () => {
    expect(await seenBy(other)).toEqual(new Set([JSON.stringify([open.id])]));
    expect(await seenBy(app)).toEqual(new Set([JSON.stringify([open.id])]));
    expect(await seenBy(other, { filter: "public" })).toEqual(new Set([JSON.stringify([open.id])]));
    expect(await seenBy(other, { filter: "private" })).toEqual(new Set(["[]"]));
    expect(await seenBy(app, { filter: "private" })).toEqual(new Set(["[]"]));
  });

  test("are listed to the owner, who may choose all, private or public ones", async () => {
    expect(await seenBy(owner)).toEqual(new Set([JSON.stringify([failed.id, hidden.id, open.id])]));
    expect(await seenBy(owner, { filter: "all" })).toEqual(await seenBy(owner));
    expect(await seenBy(owner, { filter: "private" })).toEqual(new Set([JSON.stringify([hidden.id])]));
    expect(await seenBy(owner, { filter: "public" })).toEqual(
      new Set([JSON.stringify([failed.id, open.id])]),
    );
  });

  test("owner-only fields appear in the owner's list alone", async () => {
    const [mine] = (await api.as(owner).get<Track[]>(`/tracks?ids=${hidden.id}`)).body;
    expect(mine).toMatchObject({ secret_token: hidden.secret, encoding: expect.anything() });
    const [theirs] = (await api.as(other).get<Track[]>(`/tracks?ids=${open.id}`)).body;
    expect(theirs).not.toHaveProperty("secret_token");
    expect(theirs).not.toHaveProperty("encoding");
    expect(theirs).toEqual((await api.as(other).get<Track>(`/tracks/${open.id}`)).body);
  });

  test("the newest tracks include one's own private ones, and nobody else's", async () => {
    const mine = await track({ sharing: "private" });
    expect(await listed(owner, { limit: 200 })).toContain(mine);
    expect(await listed(other, { limit: 200 })).not.toContain(mine);
  });
});

describe("page by page", () => {
  test("every list continues to its end without an empty page", async () => {
    const genre = uniqueWord();
    const ids: number[] = [];
    for (let n = 0; n < 6; n++)
      ids.unshift(await track({ genre, bpm: 100 + n, sharing: n % 3 ? "public" : "private" }));
    const listedOnes = ids.filter((_, n) => (5 - n) % 3);
    for (const parameters of [
      { genres: genre },
      { ids: ids.join() },
      { genres: genre, "bpm[from]": 1, "duration[from]": "" },
    ]) {
      const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ""));
      for (const limit of [1, 2, 3, 6]) {
        const theirs = await allPages(other, { ...given, limit });
        expect(theirs.flat(), JSON.stringify(parameters)).toEqual(listedOnes);
        expect(theirs).toHaveLength(Math.ceil(4 / limit));
        expect((await allPages(owner, { ...given, limit })).flat()).toEqual(ids);
      }
      expect((await allPages(owner, { ...given, limit: 4, sort: "asc" })).flat()).toEqual(ids.toReversed());
    }
    expect((await allPages(other, { limit: 3 }, { path: `/users/${owner.id}/tracks` })).flat()).toEqual(
      await listed(other, { limit: 200 }, `/users/${owner.id}/tracks`),
    );
  });

  test("rows that come and go meanwhile neither repeat nor hide others, in either direction (X74)", async () => {
    for (const sort of ["asc", "desc"]) {
      const genre = uniqueWord();
      const ids: number[] = [];
      for (let n = 0; n < 5; n++) ids.push(await track({ genre }));
      const inOrder = sort === "asc" ? ids : ids.toReversed();
      const between = async () => {
        await track({ genre, title: "came meanwhile" });
        await sql("delete from tracks where id = $1", [inOrder[1]]);
      };
      const seen = (await allPages(other, { genres: genre, limit: 2, sort }, { between })).flat();
      expect(seen.slice(0, 5)).toEqual(inOrder);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test("offset skips items, and a next page counts from the end of this one", async () => {
    const genre = uniqueWord();
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await track({ genre }));
    expect(await listed(other, { genres: genre, offset: 3 })).toEqual(ids.slice(3));
    expect(await listed(other, { genres: genre, offset: 10_000 })).toEqual([]);
    expect((await allPages(other, { genres: genre, offset: 1, limit: 2 })).flat()).toEqual(ids.slice(1));
  });

  test("next_href repeats parameters with brackets, on the public host", async () => {
    const genre = uniqueWord();
    await Promise.all([track({ genre, bpm: 9 }), track({ genre, bpm: 9 })]);
    const given = {
      linked_partitioning: "1",
      limit: "1",
      genres: `${genre},a b&c`,
      "bpm[from]": "1",
      "created_at[from]": "2024-01-01 00:00:00",
      access: "playable,preview,blocked",
      anything: "1",
    };
    const { body } = await api.as(other).get<Page>(listHref(given));
    const next = new URL(body.next_href ?? "");
    expect(`${next.origin}${next.pathname}`).toBe(`${stack.urls.api}/tracks`);
    next.searchParams.delete("cursor");
    expect(Object.fromEntries(next.searchParams)).toEqual(given);
  });

  test("a cursor of another list, filter, order or user is refused (X73)", async () => {
    const genre = uniqueWord();
    await Promise.all([track({ genre }), track({ genre })]);
    const first = await api
      .as(owner)
      .get<Page>(listHref({ genres: genre, limit: 1, linked_partitioning: 1 }));
    const cursor = new URL(first.body.next_href ?? "").searchParams.get("cursor") ?? "";
    const ask = async (who: Asking, parameters: Record<string, unknown>, path = "/tracks") =>
      (await api.as(who).get(listHref({ cursor, ...parameters }, path))).status;
    expect(await ask(owner, { genres: genre })).toBe(200);
    expect(await ask(owner, { genres: genre, limit: 7, unknown: 1 })).toBe(200);
    expect(await ask(other, { genres: genre })).toBe(400);
    expect(await ask(app, { genres: genre })).toBe(400);
    expect(await ask(owner, {})).toBe(400);
    expect(await ask(owner, { genres: `${genre}x` })).toBe(400);
    expect(await ask(owner, { genres: genre, sort: "asc" })).toBe(400);
    expect(await ask(owner, { genres: genre, "bpm[from]": 1 })).toBe(400);
    expect(await ask(owner, { genres: genre }, "/me/tracks")).toBe(400);
    expect(await ask(owner, { genres: genre }, `/users/${owner.id}/tracks`)).toBe(400);
    expect(await ask(owner, { genres: genre, cursor: `${cursor}A` })).toBe(400);
  });
});

test("a filtered list has each track once, in either direction, and loses what no longer fits", async () => {
  const genre = uniqueWord();
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) ids.push(await track({ genre, bpm: 60 + n }));
  expect((await allPages(other, { genres: genre, limit: 4 })).flat()).toEqual(ids.toReversed());
  expect((await allPages(other, { genres: genre, limit: 4, sort: "asc" })).flat()).toEqual(ids);
  expect(await listed(other, { genres: genre, "bpm[to]": 61 })).toEqual([ids[1], ids[0]]);
  await sql("update tracks set genre = 'changed' where id = $1", [ids[0]]);
  expect(await listed(other, { genres: genre })).toEqual(ids.slice(1).toReversed());
});
