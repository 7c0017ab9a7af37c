import type { Activities, Activity } from "../../../functions/api/activities/representation.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import type { Asking } from "../tracks/lists.support.ts";

export const ALL = "/me/activities";
export const OWN = "/me/activities/all/own";
export const TRACKS = "/me/activities/tracks";
export const AFFILIATED = "/me/activities/tracks/affiliated";
export const EXCLUSIVE = "/me/activities/tracks/exclusive";

export async function activitiesOf(who: Asking, path = ALL): Promise<Activities> {
  const { status, body } = await api.as(who).get<Activities>(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Type and id. For a like: the track and the user. */
export function named({ type, origin }: Activity): string {
  const which = "id" in origin ? origin.id : `${origin.track.id} by ${origin.user.id}`;
  return `${type} ${which}`;
}

export const happenedTo = async (who: Asking, path?: string): Promise<string[]> =>
  (await activitiesOf(who, path)).collection.map(named);

/** Activities with their tags, newest first. */
export const taggedFor = async (who: Asking, path?: string): Promise<[string, string | null][]> =>
  (await activitiesOf(who, path)).collection.map((activity) => [named(activity), activity.tags]);

/** Follows `next_href` to the end and returns the pages. `between` runs after the first. */
export async function pagesOf(who: Asking, path: string, between = async () => {}): Promise<Activities[]> {
  const pages: Activities[] = [];
  let href: string | undefined = path;
  while (href) {
    const page: Activities = await activitiesOf(who, href);
    pages.push(page);
    href = page.next_href;
    if (pages.length === 1) await between();
  }
  return pages;
}

export const namesIn = (pages: Activities[]): string[] =>
  pages.flatMap(({ collection }) => collection.map(named));

export const like = (who: Person, { id }: { id: number }) => api.as(who).post(`/likes/tracks/${id}`);

export const unlike = (who: Person, { id }: { id: number }) => api.as(who).delete(`/likes/tracks/${id}`);

export async function share(owner: Person, { id }: { id: number }, people: Person[], note?: string) {
  const json = { users: people.map((one) => ({ id: one.id })), ...(note && { sharing_note: note }) };
  const { status, body } = await api.as(owner).put(`/tracks/${id}/shared-to/users`, { json });
  if (status !== 200) throw new Error(`Sharing answered ${status}: ${JSON.stringify(body)}`);
}

export const follow = (follower: Person, { id }: Person) =>
  sql("insert into followings (user_id, followee_id) values ($1, $2)", [follower.id, id]);

/** Disables the user, as after deleting the account. */
export const leave = ({ id }: Person) => sql("update users set disabled_at = now() where id = $1", [id]);
