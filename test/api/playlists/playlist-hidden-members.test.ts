import { expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, idsIn, named, playlistOf } from "./playlists.ts";

test("a new order keeps hidden members behind the member before them, and their owner may show them again", async () => {
  const [ana, bob] = await Promise.all([createUser(), createUser()]);
  const [a, b, c] = [
    await createPlayableTrack(ana),
    await createPlayableTrack(ana),
    await createPlayableTrack(ana),
  ];
  const hidden = await Promise.all(Array.from({ length: 4 }, () => createPlayableTrack(bob)));
  const [h0 = 0, h1 = 0, h2 = 0, h3 = 0] = hidden.map(({ id }) => id);
  const { id } = await createPlaylist(ana, { tracks: named([h0, a.id, h1, h2, b.id, h3, c.id]) });
  const show = (sharing: string) =>
    sql("update tracks set sharing = $2 where user_id = $1", [bob.id, sharing]);
  const put = async (...tracks: number[]) => {
    const { status, body } = await api.as(ana).put<Playlist>(`/playlists/${id}/tracks`, {
      json: { tracks: named(tracks) },
    });
    return [status, idsIn(body)];
  };
  await show("private");
  expect(await put(c.id, b.id, a.id)).toEqual([200, [c.id, b.id, a.id]]);
  await show("public");
  expect(idsIn(await playlistOf(ana, id))).toEqual([h0, c.id, b.id, h3, a.id, h1, h2]);
  await show("private");
  // The member before `h3` leaves.
  expect(await put(c.id, a.id)).toEqual([200, [c.id, a.id]]);
  await sql("update users set disabled_at = now() where id = $1", [bob.id]);
  expect(await put(c.id)).toEqual([200, [c.id]]);
  await sql("update users set disabled_at = null where id = $1", [bob.id]);
  await show("public");
  expect(idsIn(await playlistOf(ana, id))).toEqual([h0, c.id, h3, h1, h2]);
  expect(await put(h1)).toEqual([200, [h1]]);
});

test("a hidden member that is deleted at the same moment refuses no new order", async () => {
  const [ana, bob] = await Promise.all([createUser(), createUser()]);
  const [a, b, hidden] = [
    await createPlayableTrack(ana),
    await createPlayableTrack(ana),
    await createPlayableTrack(bob),
  ];
  const { id } = await createPlaylist(ana, { tracks: named([a.id, hidden.id, b.id]) });
  await sql("update tracks set sharing = 'private' where id = $1", [hidden.id]);
  const ordered = await askDuring("delete from tracks where id = $1", [hidden.id], () =>
    api.as(ana).put<Playlist>(`/playlists/${id}/tracks`, { json: { tracks: named([b.id, a.id]) } }),
  );
  expect([ordered.status, idsIn(ordered.body)]).toEqual([200, [b.id, a.id]]);
});
