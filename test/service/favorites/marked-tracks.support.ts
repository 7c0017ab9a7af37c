import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

type Mark = "likes" | "reposts";

/** Tracks of `owner` and a user who marks them in this order, which differs from their age. */
export async function createMarkedTracks(
  owner: Person,
  marks: Mark[],
  order: number[],
  columns: (at: number) => Record<string, unknown> = () => ({}),
) {
  const fan = await createUser();
  const tracks: number[] = [];
  for (const at of order.keys()) tracks.push((await createPlayableTrack(owner, columns(at))).id);
  const ids = order.map((at) => tracks[at] ?? 0);
  for (const id of ids) for (const mark of marks) await api.as(fan).post(`/${mark}/tracks/${id}`);
  return { fan, tracks, newestFirst: ids.reverse() };
}
