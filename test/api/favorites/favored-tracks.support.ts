import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

type Kind = "likes" | "reposts";

/** Tracks of `owner` and a user who likes or reposts them in this order, which differs from their age. */
export async function createFavoredTracks(
  owner: Person,
  kinds: Kind[],
  order: number[],
  columns: (at: number) => Record<string, unknown> = () => ({}),
) {
  const fan = await createUser();
  const tracks: number[] = [];
  for (const at of order.keys()) tracks.push((await createPlayableTrack(owner, columns(at))).id);
  const ids = order.map((at) => tracks[at] ?? 0);
  for (const id of ids) for (const kind of kinds) await api.as(fan).post(`/${kind}/tracks/${id}`);
  return { fan, tracks, newestFirst: ids.reverse() };
}
