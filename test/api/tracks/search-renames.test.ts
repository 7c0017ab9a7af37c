import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser } from "../../support/people.ts";
import { createTrack } from "../../support/tracks.ts";
import { listed, uniqueWord } from "./lists.support.ts";

/** Changes columns of a track while its owner takes another name. */
async function changeDuringRename(columns: string) {
  const [owner, reader] = [await createUser(), await createUser()];
  const [word, name] = [uniqueWord(), uniqueWord()];
  const { id } = await createTrack(owner, { title: uniqueWord() });
  const renamed = await askDuring(
    `update tracks set ${columns.replace("WORD", `'${word}'`)} where id = $1`,
    [id],
    () => api.as(owner).put("/me", { json: { user: { username: name } } }),
  );
  expect(renamed.status).toBe(200);
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
