import { type ExpectStatic, expect } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createForm, createPng } from "../support/images.ts";
import type { Person } from "../support/people.ts";
import { createPlayableTrack } from "../support/tracks.ts";

/** Waits as long as a list of closed pictures is remembered, at most. Tests that run at once give their own `expect`. */
export const becomes = (url: string, status: number, own: ExpectStatic = expect) =>
  own.poll(async () => (await fetch(url)).status, { interval: 1_000 }).toBe(status);

export async function coveredTrack(owner: Person): Promise<{ id: number; picture: string }> {
  const { id } = await createPlayableTrack(owner);
  const form = createForm({ "track[artwork_data]": await createPng(120, 120) });
  const { body } = await api.as(owner).put<Track>(`/tracks/${id}`, form);
  return { id, picture: body.artwork_url ?? "" };
}
