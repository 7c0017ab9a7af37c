import { beforeAll, describe, expect, test } from "vitest";
import type { User } from "../../../functions/api/users/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { type Asking, allPages, listed, refusal, uniqueWord } from "../tracks/lists.support.ts";

let other: Person;
let app: { token: string };

beforeAll(async () => {
  [other, app] = await Promise.all([createUser(), createAppToken()]);
});

async function named(columns: Record<string, unknown>): Promise<number> {
  const { id } = await createUser();
  const names = Object.keys(columns);
  await sql(`update users set ${names.map((name, index) => `${name} = $${index + 2}`)} where id = $1`, [
    id,
    ...Object.values(columns),
  ]);
  return id;
}

const people = async (count: number, columns: Record<string, unknown>) => {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.unshift(await named(columns));
  return ids;
};

const found = (q: string, who: Asking = other) => listed(who, { q }, "/users");

describe("a search for users", () => {
  test("finds every word or prefix in any field of their profile", async () => {
    const word = uniqueWord();
    const id = await named({
      username: `DJ ${word}-Öß`,
      full_name: "Ána Łukasz",
      city: "Köln",
      description: "Plays the nyckelharpa.",
    });
    for (const q of [word, word.toUpperCase(), word.slice(0, -2), `${word} ana`, `${word} LUKASZ koln`])
      expect([q, await found(q)]).toEqual([q, [id]]);
    for (const q of [`${word} OSS`, `nyckelh ${word}`, `"ana łukasz" ${word}`, `${word} "${word}`])
      expect([q, await found(q, app)]).toEqual([q, [id]]);
    for (const q of [
      `${word} nobody`,
      `"lukasz ana" ${word}`,
      `"dj ana" ${word}`,
      `harpa ${word}`,
      "!?",
      "& | :*",
    ])
      expect([q, await found(q)]).toEqual([q, []]);
  });

  test("finds changed profiles by their current text", async () => {
    const [before, now] = [uniqueWord(), uniqueWord()];
    const id = await named({ description: before });
    expect(await found(before)).toEqual([id]);
    await sql("update users set description = $2 where id = $1", [id, now]);
    expect([await found(before), await found(now)]).toEqual([[], [id]]);
  });

  test("never matches hidden fields", async () => {
    const who = await createUser({ plan: "artist-pro" });
    for (const q of [`${who.username}@example.com`, `${who.username} artist`])
      expect(await found(q)).toEqual([]);
  });

  test("ranks names over descriptions, page by page", async () => {
    const word = uniqueWord();
    const called = await named({ full_name: word });
    const [late, early] = await people(2, { description: `Likes ${word}` });
    const best = [await named({ username: `DJ ${word}`, full_name: word }), called, late, early];
    expect(await found(word)).toEqual(best);
    for (const limit of [1, 3])
      expect((await allPages(other, { q: word, limit }, { path: "/users" })).flat()).toEqual(best);
    expect(await listed(other, { q: word, offset: 1, limit: 2 }, "/users")).toEqual([called, late]);
    const between = async () => {
      await named({ username: word });
      await sql("update users set disabled_at = now() where id = $1", [called]);
    };
    const seen = await allPages(other, { q: word, limit: 1 }, { path: "/users", between });
    expect(seen.flat()).toEqual(best.filter((id) => id !== called));
  });
});

describe("lists of users", () => {
  test("are newest first, page by page, whether others come or go meanwhile", async () => {
    const city = uniqueWord();
    const ids = await people(5, { city });
    expect(await found(city)).toEqual(ids);
    for (const limit of [1, 2, 5])
      expect((await allPages(other, { q: city, limit }, { path: "/users" })).flat()).toEqual(ids);
    const between = async () => {
      await named({ city });
      await sql("update users set disabled_at = now() where id = $1", [ids[3]]);
    };
    const seen = await allPages(other, { q: city, limit: 2 }, { path: "/users", between });
    expect(seen.flat()).toEqual(ids.filter((_, n) => n !== 3));
    expect(await listed(other, { q: city, offset: 2 }, "/users")).toEqual([ids[1], ids[2], ids[4]]);
  });

  test("by ids and URNs return existing users once each, as alone", async () => {
    const [b = 0, a = 0] = await people(2, { city: "Bonn" });
    const parameters = { ids: `${a}, ${b},1,${a}`, urns: `soundcloud:users:${b}` };
    expect(await listed(other, parameters, "/users")).toEqual([b, a]);
    const [first] = (await api.as(other).get<User[]>(`/users?ids=${b}`)).body;
    expect(first).toEqual((await api.as(other).get<User>(`/users/${b}`)).body);
    expect(await listed(other, { ...parameters, q: "bonn" }, "/users")).toEqual([b, a]);
  });

  test("without a filter return the newest", async () => {
    const { id } = await createUser();
    expect(await listed(app, { limit: 200 }, "/users")).toContain(id);
  });

  test.for([
    ["limit=0", 422, "limit"],
    ["limit=x", 422, "limit"],
    ["offset=10001", 422, "offset"],
    ["ids=x", 422, "ids"],
    [`ids=${Array.from({ length: 201 }, (_, n) => n + 1)}`, 422, "ids"],
    ["urns=soundcloud:tracks:1", 422, "urns"],
    [`q=${"x".repeat(201)}`, 422, "q"],
    ["q=a%00", 422, "q"],
    ["q=a&q=b", 400, "q"],
    ["cursor=x", 400, "cursor"],
  ] as const)("refuse %s", async ([query, status, field]) => {
    const [answered, message] = await refusal(other, query, "/users");
    expect([answered, message]).toEqual([status, expect.stringContaining(field)]);
  });

  test("refuse a cursor of another list, filter or user (X73)", async () => {
    const city = uniqueWord();
    const [id] = await people(2, { city });
    const page = await api
      .as(other)
      .get<{ next_href: string }>(`/users?q=${city}&limit=1&linked_partitioning=1`);
    const cursor = new URL(page.body.next_href).searchParams.get("cursor") ?? "";
    const status = async (path: string, who: Asking = other) =>
      (await api.as(who).get(`${path}&cursor=${cursor}`)).status;
    expect(await status(`/users?q=${city}`)).toBe(200);
    for (const path of ["/users?", `/users?q=${city}x`, `/users/${id}/followers?q=${city}`])
      expect(await status(path)).toBe(400);
    expect(await status(`/users?q=${city}`, app)).toBe(400);
  });
});
