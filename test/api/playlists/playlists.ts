import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import type { Asking } from "../tracks/lists.support.ts";

export async function createPlaylist(owner: Person, fields: Record<string, unknown> = {}): Promise<Playlist> {
  const json = { playlist: { title: "A playlist", ...fields } };
  const { status, body } = await api.as(owner).post<Playlist>("/playlists", { json });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export const playlistOf = async (who: Asking, id: number | string, query = ""): Promise<Playlist> =>
  (await api.as(who).get<Playlist>(`/playlists/${id}${query}`)).body;

/** Ids of its tracks, in order. */
export const idsIn = ({ tracks }: Playlist): number[] | undefined => tracks?.map(({ id }) => id);

export const named = (ids: number[]): { id: number }[] => ids.map((id) => ({ id }));

/** Ten-second tracks, oldest first. */
export async function tracksOf(owner: Person, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push((await createPlayableTrack(owner)).id);
  return ids;
}
