import type { TrackArtist } from "../../../functions/api/tracks/artists.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

export interface NamedArtist {
  name?: string;
  role?: string;
  user_id?: number | string | null;
  permalink?: string;
}

interface Credit {
  state: string;
  asked_at: string;
  roles: { name: string; role: string }[];
  track: Track;
}

export const credit = <Body = Track>(owner: Person, { id }: { id: number }, artists: unknown) =>
  api.as(owner).put<Body>(`/tracks/${id}`, { json: { track: { artists } } });

/** Makes a track of the owner that names the users as producers. */
export async function createCreditedTrack(
  owner: Person,
  users: Person[],
  fields: Record<string, unknown> = {},
) {
  const track = await createPlayableTrack(owner, fields);
  await credit(
    owner,
    track,
    users.map(({ id, username }) => ({ name: `${username} on record`, role: "producer", user_id: id })),
  );
  return track;
}

export const creditsOf = async (who: Person, query = ""): Promise<Credit[]> =>
  (await api.as(who).get<Credit[]>(`/me/credits${query}`)).body;

export const accept = (who: Person, { id }: { id: number }) => api.as(who).put(`/me/credits/${id}`);
export const decline = (who: Person, { id }: { id: number }) => api.as(who).delete(`/me/credits/${id}`);

export const artistsSeenBy = async (who: Person, { id }: { id: number }): Promise<TrackArtist[]> =>
  (await api.as(who).get<Track>(`/tracks/${id}`)).body.artists;

/** The user that the first artist leads to. */
export const linkOf = async (who: Person, track: { id: number }) =>
  (await artistsSeenBy(who, track))[0]?.user_id;
