import * as z from "zod";
import type { PlaylistRow, ShownPlaylist } from "../../../db/queries/playlists.ts";
import type { Env } from "../../lib/http/env.ts";
import { apiUrl, timestamp, urn, webUrl } from "../../lib/http/links.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { artworkUrl } from "../images/links.ts";
import { Loudness, representLoudness } from "../tracks/loudness.ts";
import { representTrack, Track } from "../tracks/representation.ts";
import { EmbeddableBy, License, Sharing } from "../tracks/vocabulary.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";
import { PlaylistType } from "./vocabulary.ts";

const Text = z.string().nullable();
const Count = z.int().min(0);

export const Playlist = z
  .strictObject({
    id: z.int(),
    kind: z.literal("playlist"),
    urn: z.string(),
    created_at: z.string(),
    last_modified: z.string(),
    user_id: z.int(),
    user_urn: z.string(),
    user: MiniUser,
    title: z.string(),
    permalink: z.string(),
    permalink_url: z.url(),
    uri: z.url(),
    tracks_uri: z.url(),
    sharing: Sharing,
    embeddable_by: EmbeddableBy,
    purchase_url: Text,
    purchase_title: Text,
    artwork_url: Text.describe("JPEG. Replace `large` with another format's name for another size."),
    description: Text,
    label: MiniUser.nullable(),
    label_id: z.int().nullable(),
    label_name: Text,
    duration: Count.describe("Milliseconds of all its tracks."),
    loudness: Loudness.nullable().describe(
      "Of the tracks that you can see: their mean energy, weighted by duration, and their highest peak. `range` is null, because ranges do not add up. Null until a track's is known.",
    ),
    genre: Text,
    tag_list: z.string(),
    tags: Text.describe("The same as `tag_list`; null if there are none."),
    release: Text,
    release_day: z.int().nullable(),
    release_month: z.int().nullable(),
    release_year: z.int().nullable(),
    license: License,
    track_count: Count.describe("Counts the tracks that you can see."),
    streamable: z.boolean().nullable().describe("Null if the tracks differ or there are none."),
    downloadable: z.boolean().nullable().describe("Null if the tracks differ or there are none."),
    ean: Text,
    playlist_type: PlaylistType.nullable(),
    type: PlaylistType.nullable().describe("The same as `playlist_type`."),
    likes_count: Count,
    reposts_count: Count,
    secret_token: z.string().optional().describe("Shown to the owner only."),
    secret_uri: z.url().optional().describe("Shown to the owner only."),
    tracks: z
      .array(z.union([Track, z.strictObject({ id: z.int() }).meta({ id: "TrackReference" })]))
      .optional()
      .describe("Beyond 4 MiB of descriptions, tracks appear by id only; `tracks_uri` has them complete."),
  })
  .meta({ id: "Playlist" });
export type Playlist = z.infer<typeof Playlist>;

/** Represents a playlist, with its tracks if requested. The owner's row holds the sealed secret. */
export const representShown = (env: Env, { playlist, tracks }: ShownPlaylist): Playlist => ({
  ...representPlaylist(env, playlist),
  ...(tracks && {
    tracks: tracks.map((track) => (track.fits ? representTrack(env, track) : { id: track.id })),
  }),
});

export function representPlaylist(env: Env, playlist: PlaylistRow): Playlist {
  const uri = apiUrl(env, `/playlists/${playlist.id}`);
  const secret = playlist.secret_sealed ? unsealBase64(env, playlist.secret_sealed) : undefined;
  const type = playlist.playlist_type === null ? null : PlaylistType.parse(playlist.playlist_type);
  return {
    id: playlist.id,
    kind: "playlist",
    urn: urn(env, "playlists", playlist.id),
    created_at: timestamp(playlist.created_at),
    last_modified: timestamp(playlist.updated_at),
    user_id: playlist.user_id,
    user_urn: urn(env, "users", playlist.user_id),
    user: representMiniUser(playlist.user, env),
    title: playlist.title,
    permalink: playlist.permalink,
    permalink_url: webUrl(env, `/${playlist.user.permalink}/sets/${playlist.permalink}`),
    uri,
    tracks_uri: `${uri}/tracks`,
    sharing: playlist.sharing,
    embeddable_by: playlist.embeddable_by,
    purchase_url: playlist.purchase_url,
    purchase_title: playlist.purchase_title,
    artwork_url: artworkUrl(env, playlist.artwork_version),
    description: playlist.description,
    label: playlist.label && representMiniUser(playlist.label, env),
    label_id: playlist.label_id,
    label_name: playlist.label_name,
    duration: playlist.duration_ms,
    loudness: representLoudness(playlist.loudness),
    genre: playlist.genre,
    tag_list: playlist.tag_list,
    tags: playlist.tag_list || null,
    release: playlist.release,
    release_day: playlist.release_day,
    release_month: playlist.release_month,
    release_year: playlist.release_year,
    license: License.parse(playlist.license),
    track_count: playlist.track_count,
    streamable: playlist.streamable,
    downloadable: playlist.downloadable,
    ean: playlist.ean,
    playlist_type: type,
    type,
    likes_count: playlist.favoritings_count,
    reposts_count: playlist.reposts_count,
    ...(secret && { secret_token: secret, secret_uri: `${uri}?secret_token=${secret}` }),
    ...(playlist.track_ids && { tracks: playlist.track_ids.map((id) => ({ id })) }),
  };
}
