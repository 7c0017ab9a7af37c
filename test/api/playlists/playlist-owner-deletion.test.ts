import { beforeEach, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlaylist } from "./playlists.ts";

let owner: Person;

beforeEach(async () => {
  owner = await createUser();
});

/** Disables the owner in a transaction that the request waits for. */
const whileLeaving = <Reply>(ask: () => Promise<Reply>) =>
  askDuring("update users set disabled_at = now() where id = $1", [owner.id], ask);

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
