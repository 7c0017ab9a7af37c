import { expect, test } from "vitest";
import { openDatabase } from "../../../db/client.ts";
import { readServiceState } from "../../../db/queries/service-state.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, STORED_MEDIA } from "../../support/tracks.ts";
import { createConnection } from "./connections.support.ts";

/** More posts than a cron looks at connections, many runs over. */
const BACKLOG = 300;

test("a user with many due posts delays nobody else's", async () => {
  const [busy, other, owner] = [await createUser(), await createUser(), await createUser()];
  const backlog = await createConnection(busy, busy.username, { post_favorite: true });
  await createConnection(other, other.username, { post_favorite: true });
  const { id } = await createPlayableTrack(owner, { title: "Shared by both" });
  await sql(
    `with copies as (
       insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
         original_content_size, state, media_prefix, media, duration_ms)
       select user_id, title, permalink || n, secret_hash, secret_sealed, original_key || n, original_filename,
         original_content_size, state, media_prefix || n || '/', media, duration_ms
       from tracks, generate_series(1, ${BACKLOG}) n where id = $1 returning id)
     insert into favorites (user_id, track_id) select $2, id from copies`,
    [id, busy.id],
  );
  await sql("update connection_posts set due_at = now() - interval '1 hour' where connection_id = $1", [
    backlog.id,
  ]);
  await api.as(other).post(`/likes/tracks/${id}`);
  await runCron("* * * * *");
  const posted = async () => {
    const posts = await (await fetch(`${stack.urls.api}/dev/social/posts.json`)).json();
    return (posts as { by: string }[]).filter(({ by }) => by === other.username).length;
  };
  await expect.poll(posted).toBe(1);
  const waiting = "select 1 from connection_posts where connection_id = $1 and due_at <= now()";
  expect((await sql(waiting, [backlog.id])).length).toBeGreaterThan(BACKLOG / 2);
  await sql("delete from tracks where user_id = $1", [owner.id]);
});

test("what is to be posted for a suspended user waits, and makes nothing late", async () => {
  const away = await createUser();
  await createConnection(away, away.username, { post_publish: true });
  const { id, prefix } = await createTrack(away);
  await operate("user suspend", "--user", away.username, "--reason", "Spam");
  // The end of an encode that was under way.
  await sql(
    "update tracks set state = 'finished', duration_ms = 10000, media_prefix = $2, media = $3 where id = $1",
    [id, prefix, JSON.stringify(STORED_MEDIA)],
  );
  const due = "update connection_posts set due_at = '2001-01-01' where track_id = $1 returning 1";
  expect(await sql(due, [id])).toHaveLength(1);
  const { appDatabaseUrl, proxyUrl } = stack;
  const db = openDatabase({ DATABASE_URL: appDatabaseUrl, DATABASE_PROXY_URL: proxyUrl });
  const { post_waits_s } = await readServiceState(db, 7);
  const [since] = await sql<{ s: number }>("select extract(epoch from now() - '2001-01-02')::float8 as s");
  expect(post_waits_s).toBeLessThan(since?.s ?? 0);
  await sql("delete from tracks where id = $1", [id]);
});
