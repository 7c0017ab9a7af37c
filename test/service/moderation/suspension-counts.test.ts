import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

const suspend = ({ username }: Person) => operate("user suspend", "--user", username, "--reason", "Spam");
const restore = ({ username }: Person) => operate("user restore", "--user", username);

const publicFavoritesOf = async (fan: Person) =>
  (await api.as(fan).get<{ public_favorites_count: number }>("/me")).body.public_favorites_count;

test.each([
  ["hidden", "public", "private"],
  ["published", "private", "public"],
])("a track that is %s while its owner is suspended or returns is counted once", async (_, before, after) => {
  const [owner, fan] = [await createUser(), await createUser()];
  const { id } = await createPlayableTrack(owner);
  await api.as(fan).post(`/likes/tracks/${id}`);
  await sql("update tracks set sharing = $2 where id = $1", [id, before]);
  const share = "update tracks set sharing = $2 where id = $1";
  await askDuring(share, [id, after], () => suspend(owner));
  expect(await publicFavoritesOf(fan)).toBe(0);
  await sql(share, [id, before]);
  expect(await publicFavoritesOf(fan)).toBe(0);
  await askDuring(share, [id, after], () => restore(owner));
  expect(await publicFavoritesOf(fan)).toBe(after === "public" ? 1 : 0);
});
