import pg from "pg";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { listed, uniqueWord } from "./lists.support.ts";

/** Changes columns of a track while its owner takes another name, which waits for the change. */
async function changeDuringRename(columns: string) {
  const [owner, reader] = [await createUser(), await createUser()];
  const [word, name] = [uniqueWord(), uniqueWord()];
  const { id } = await createTrack(owner, { title: uniqueWord() });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query<{ pid: number }>(
      `update tracks set ${columns.replace("WORD", `'${word}'`)} where id = $1 returning pg_backend_pid() as pid`,
      [id],
    );
    const renamed = api.as(owner).put("/me", { json: { user: { username: name } } });
    const waiting = "select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
    await expect.poll(() => sql(waiting, [rows[0]?.pid])).not.toEqual([]);
    await client.query("commit");
    expect((await renamed).status).toBe(200);
  } finally {
    await client.end();
  }
  return { owner, reader, id, word, name };
}

test("a title that changes while the owner's name does is found, with that name", async () => {
  const { reader, id, word, name } = await changeDuringRename("title = WORD");
  expect(await listed(reader, { q: `${word} ${name}` })).toEqual([id]);
});

test("a track that is hidden while the owner's name changes is listed as private", async () => {
  const { owner, reader, id, name } = await changeDuringRename("sharing = 'private'");
  expect(await listed(owner, { q: name, filter: "private" })).toEqual([id]);
  expect(await listed(reader, { q: name })).toEqual([]);
});
