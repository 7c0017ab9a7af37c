import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlaylist } from "./playlists.ts";

let owner: Person;

beforeEach(async () => {
  owner = await createUser();
});

/** Statements that wait for this backend. */
const waiting = (pid: number | undefined) =>
  sql("select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [pid]);

/** Disables the owner in an open transaction and commits once the request waits for it. */
async function whileLeaving<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    const leaves = "update users set disabled_at = now() where id = $1 returning pg_backend_pid() as pid";
    const { rows } = await client.query<{ pid: number }>(leaves, [owner.id]);
    const asked = ask();
    await expect.poll(() => waiting(rows[0]?.pid)).not.toEqual([]);
    await client.query("commit");
    return await asked;
  } finally {
    await client.end();
  }
}

test("a playlist whose owner leaves during a change is not returned to them", async () => {
  const { id } = await createPlaylist(owner);
  const json = { playlist: { title: "Last words", tracks: [] } };
  const reply = await whileLeaving(() => api.as(owner).put(`/playlists/${id}`, { json }));
  expect(reply.status).toBe(401);
});

test("its tracks are not returned when replaced meanwhile", async () => {
  const { id } = await createPlaylist(owner);
  const json = { playlist: { tracks: [] } };
  const reply = await whileLeaving(() => api.as(owner).put(`/playlists/${id}/tracks`, { json }));
  expect(reply.status).toBe(401);
});

test("a playlist created meanwhile is not returned", async () => {
  const json = { playlist: { title: "Last words" } };
  const reply = await whileLeaving(() => api.as(owner).post("/playlists", { json }));
  expect(reply.status).toBe(401);
});
