import { expect, test } from "vitest";
import type { User } from "../../../functions/api/users/representation.ts";
import { UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { refusal } from "../tracks/lists.support.ts";

const follow = (who: Person, whom: Person) => api.as(who).put(`/me/followings/${whom.id}`);

const related = async (who: { token: string }, id: number, query = "") =>
  (await api.as(who).get<User[]>(`/users/${id}/related?${query}`)).body.map((user) => user.id);

/** An artist with three followers, who follow others: one followed by all, one by two, one by one of them. */
async function createScene() {
  const [artist, most, some, few, ...fans] = await Promise.all(Array.from({ length: 7 }, () => createUser()));
  const [a, b, c] = fans;
  if (!artist || !most || !some || !few || !a || !b || !c) throw new Error("Nobody came");
  for (const fan of [a, b, c]) for (const one of [artist, most]) await follow(fan, one);
  for (const fan of [a, b]) await follow(fan, some);
  await follow(c, few);
  return { artist, most, some, few, a };
}

test("lists users whom a user's followers also follow, most frequent first", async () => {
  const { artist, most, some, few, a } = await createScene();
  const app = await createAppToken();
  expect(await related(app, artist.id)).toEqual([most.id, some.id, few.id]);
  expect(await related(some, artist.id)).toEqual([most.id, few.id]);
  expect(await related(app, few.id)).toEqual([Math.max(artist.id, most.id), Math.min(artist.id, most.id)]);
  expect(await related(app, a.id)).toEqual([]);
  expect(await related(app, artist.id, `q=${some.username}`)).toEqual([some.id]);
  expect(await related(app, artist.id, `ids=${few.id},${artist.id}`)).toEqual([few.id]);
  expect(await related(app, artist.id, "q=!")).toEqual([]);
  await sql("update users set disabled_at = now() where id = $1", [most.id]);
  expect(await related(app, artist.id)).toEqual([some.id, few.id]);
});

test("is available under /me, as every list of a user is", async () => {
  const { artist } = await createScene();
  const own = await related(artist, artist.id);
  expect(own).toHaveLength(3);
  const { body } = await api.as(artist).get<User[]>("/me/related");
  expect(body.map(({ id }) => id)).toEqual(own);
  expect((await api.as(await createAppToken()).get("/me/related")).status).toBe(401);
});

test("pages consistently, whoever is followed meanwhile", async () => {
  const { artist, most, some, few, a } = await createScene();
  const app = await createAppToken();
  const seen: number[] = [];
  let next: string | undefined = `/users/${artist.id}/related?limit=1&linked_partitioning=true`;
  while (next) {
    const { body }: { body: { collection: User[]; next_href?: string } } = await api
      .as(app)
      .get<{ collection: User[]; next_href?: string }>(next);
    seen.push(...body.collection.map(({ id }) => id));
    next = body.next_href;
    await follow(a, few);
  }
  expect(seen).toEqual([most.id, some.id, few.id]);
  expect(await related(app, artist.id, "limit=1&offset=1")).toHaveLength(1);
});

test("refuses missing tokens, unknown users and invalid input", async () => {
  const ana = await createUser();
  expect((await api.get(`/users/${ana.id}/related`)).status).toBe(401);
  for (const id of [UNKNOWN_ID, "x"])
    expect((await api.as(ana).get(`/users/${id}/related`)).status).toBe(404);
  const path = `/users/${ana.id}/related`;
  expect((await refusal(ana, "limit=0", path))[0]).toBe(422);
  expect((await refusal(ana, "ids=x", path))[0]).toBe(422);
  expect((await refusal(ana, "cursor=x", path))[0]).toBe(400);
});
