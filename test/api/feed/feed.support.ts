import type { Feed } from "../../../functions/api/feed/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import type { Asking } from "../tracks/lists.support.ts";

export const feedOf = async (who: Asking, path = "/me/feed"): Promise<Feed> => {
  const { status, body } = await api.as(who).get<Feed>(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Type and id, such as `track:repost 1234`. */
export const itemsIn = ({ collection }: Feed): string[] =>
  collection.map(({ type, origin }) => `${type} ${origin.id}`);

export const itemsOf = async (who: Asking, path?: string): Promise<string[]> =>
  itemsIn(await feedOf(who, path));

/** Follows `next_href` to the end and returns the pages. `between` runs after the first. */
export async function pagesOf(who: Asking, path: string, between = async () => {}): Promise<Feed[]> {
  const pages: Feed[] = [];
  let href: string | undefined = path;
  while (href) {
    const page: Feed = await feedOf(who, href);
    pages.push(page);
    href = page.next_href;
    if (pages.length === 1) await between();
  }
  return pages;
}

export async function follow(follower: Person, ...followed: Person[]): Promise<void> {
  for (const { id } of followed)
    await sql("insert into followings (user_id, followee_id) values ($1, $2)", [follower.id, id]);
}

/** A user who follows these. */
export async function createReader(...followed: Person[]): Promise<Person> {
  const reader = await createUser();
  await follow(reader, ...followed);
  return reader;
}

export const repostTrack = (who: Person, id: number) => api.as(who).post(`/reposts/tracks/${id}`);

export const repostPlaylist = (who: Person, id: number) => api.as(who).post(`/reposts/playlists/${id}`);
