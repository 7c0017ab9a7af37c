import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
import { createTrack } from "../../support/tracks.ts";

test("a track and a set of a suspended label are saved as they were read", async () => {
  const [owner, label] = [await createUser(), await createUser()];
  const { id } = await createTrack(owner, { label_id: label.id });
  const set = await api
    .as(owner)
    .post<{ id: number }>("/playlists", { json: { playlist: { title: "A set", label_id: label.id } } });
  await operate("user suspend", "--user", label.username, "--reason", "Spam");
  for (const [wrapper, path] of [
    ["track", `/tracks/${id}`],
    ["playlist", `/playlists/${set.body.id}`],
  ] as const) {
    const { body } = await api.as(owner).get<Record<string, unknown>>(path);
    expect([body.label, body.label_id]).toEqual([null, label.id]);
    const saved = await api.as(owner).put(path, { json: { [wrapper]: { ...body, genre: "Rock" } } });
    expect([path, saved.status, saved.body]).toMatchObject([
      path,
      200,
      { genre: "Rock", label_id: label.id },
    ]);
  }
  const other = await createTrack(owner);
  const named = { json: { track: { label_id: label.id } } };
  expect((await api.as(owner).put(`/tracks/${other.id}`, named)).status).toBe(422);
});
