import type * as z from "zod";
import type { Subject } from "../../../db/queries/site-pages.ts";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { representPlaylist } from "../../api/playlists/representation.ts";
import { representArtist, type TrackArtist } from "../../api/tracks/artists.ts";
import { representTrack } from "../../api/tracks/representation.ts";
import type { EmbeddableBy } from "../../api/tracks/vocabulary.ts";
import { type MiniUser, representUser } from "../../api/users/representation.ts";
import type { Env } from "../../lib/http/env.ts";
import { textOf } from "../../lib/text/plain-text.ts";
import { type Covered, pictureOf } from "./covers.ts";

/** The common properties of tracks, playlists and users for previews on other sites. */
export interface Preview {
  kind: "track" | "playlist" | "user";
  title: string;
  /** Plain text, empty without one. */
  description: string;
  author: MiniUser;
  /** Address of the picture in the format `large`. */
  picture: string;
  uri: string;
  permalink_url: string;
  private: boolean;
  embeddable_by: z.infer<typeof EmbeddableBy>;
  /** The number of tracks of a playlist or user. */
  sounds?: number | undefined;
  /** Set for a track. */
  recording?: Recording | undefined;
}

/** Fields that only tracks have. */
interface Recording {
  artist: string;
  artists: TrackArtist[];
  duration_ms: number;
  created_at: string;
  is_podcast: boolean;
  /** Anybody may play the whole file. */
  is_open: boolean;
}

/** The secret that a player needs. A public playlist's secret opens its owner's private tracks in it. */
export const secretFor = (shown: Preview, secret: string | undefined): string | undefined =>
  shown.private || shown.kind === "playlist" ? secret : undefined;

/** Returns `undefined` if this visitor may see nothing of it. */
export function previewOf(env: Env, { track, playlist, user }: Subject): Preview | undefined {
  if (track) return { ...previewWork(representTrack(env, track)), recording: recordingOf(env, track) };
  if (user) {
    const author = representUser(user, env);
    const { username, description, avatar_url, uri, permalink_url } = author;
    const of = {
      title: username,
      description: description ?? "",
      author,
      picture: avatar_url,
      uri,
      permalink_url,
    };
    return { kind: "user", ...of, private: false, embeddable_by: "all", sounds: user.track_count };
  }
  if (!playlist) return undefined;
  return {
    ...previewWork(representPlaylist(env, playlist)),
    sounds: playlist.track_count,
  };
}

const recordingOf = (env: Env, track: TrackRow): Recording => ({
  artist: track.artist ?? track.user.username,
  artists: track.artists?.map((artist) => representArtist(artist, env)) ?? [],
  duration_ms: track.duration_ms ?? 0,
  created_at: track.created_at,
  is_podcast: track.track_type === "podcast",
  is_open: track.state === "finished" && track.access === "playable" && track.sharing === "public",
});

interface Owned {
  title: string;
  description: string | null;
  user: MiniUser;
  uri: string;
  permalink_url: string;
  sharing: "public" | "private";
  embeddable_by: Preview["embeddable_by"];
}

const previewWork = (one: Owned & Covered): Preview => ({
  kind: one.kind,
  title: one.title,
  description: textOf(one.description ?? ""),
  author: one.user,
  picture: pictureOf(one),
  uri: one.uri,
  permalink_url: one.permalink_url,
  private: one.sharing === "private",
  embeddable_by: one.embeddable_by,
});
