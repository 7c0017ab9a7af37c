import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

/** Ids of a minute. */
const MINUTE = 60_000 * 4096;

/** Moves what happened around a user into the past, and makes their mails due. */
export async function passMinutes({ id }: Person, minutes = 2): Promise<void> {
  const ids = minutes * MINUTE;
  await sql("update activities set id = id - $2 where user_id = $1", [id, ids]);
  await sql("update news set id = id - $2 where user_id = $1", [id, ids]);
  await sql("update followings set id = id - $2 where followee_id = $1", [id, ids]);
  await sql(
    "update posts set id = id - $2 where user_id in (select followee_id from followings where user_id = $1)",
    [id, ids],
  );
  await sql(
    "update news_mails set looked_id = looked_id - $2, next_look_at = now() - interval '1 second' where user_id = $1",
    [id, ids],
  );
}

export const likes = (who: Person, track: { id: number }) => api.as(who).post(`/likes/tracks/${track.id}`);

export const reposts = (who: Person, track: { id: number }) =>
  api.as(who).post(`/reposts/tracks/${track.id}`);

export const follows = (who: Person, whom: Person) => api.as(who).put(`/me/followings/${whom.id}`);

/** The text of each row of the notifications page. */
export const rowsIn = (html: string): string[] =>
  html
    .split('<li class="row news-row')
    .slice(1)
    .map((row) =>
      (row.split('</li><li class="row')[0] ?? "")
        .slice(row.indexOf(">") + 1)
        .replace(/<(form|svg)\b[\s\S]*?<\/\1>/g, "")
        .replace(/<\/section>[\s\S]*/, "")
        .replace(/<(?:p|ul|div|li)\b/g, " $&")
        .replace(/<[^>]+>/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
