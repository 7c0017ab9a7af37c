import * as z from "zod";
import type { PlaylistRow, ShownPlaylist } from "../../../db/queries/playlists.ts";
import type { Env } from "../../lib/http/env.ts";
import { apiUrl, rfc3339, timestamp, urn, webUrl } from "../../lib/http/links.ts";
import {
  CreatedAt,
  kindOf,
  LastModified,
  PublishAt,
  PublishedAt,
  pageUrl,
  resourceId,
  resourceUri,
  resourceUrn,
  UserId,
  UserUrn,
} from "../../lib/http/reply-fields.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { about } from "../../lib/text/fields.ts";
import { artworkUrl } from "../images/links.ts";
import { Loudness, representLoudness } from "../tracks/loudness.ts";
import { representTrack, Track } from "../tracks/representation.ts";
import { EmbeddableBy, License, Sharing } from "../tracks/vocabulary.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";
import { PlaylistType } from "./vocabulary.ts";

const Text = z.string().nullable();
const Count = z.int().min(0);

const TrackReference = z.strictObject({ id: Track.shape.id }).meta({ id: "TrackReference" });

const PlaylistTrack = z.union([Track, TrackReference]).meta({ id: "PlaylistTrack" });

export const Playlist = z
  .strictObject({
    id: resourceId(338914811904500),
    kind: kindOf("playlist"),
    urn: resourceUrn("playlists:338914811904500"),
    created_at: CreatedAt,
    last_modified: LastModified,
    user_id: UserId,
    user_urn: UserUrn,
    user: MiniUser.describe("The user."),
    title: z.string().meta(about("At least one visible character.", "Night")),
    permalink: z.string().meta(about("Last part of the page's address.", "night")),
    permalink_url: pageUrl("ana/sets/night"),
    uri: resourceUri("playlists/338914811904500"),
    tracks_uri: z
      .url()
      .meta(
        about(
          "List of the playlist's tracks, page by page.",
          "https://api.soundpost.example/playlists/338914811904500/tracks",
        ),
      ),
    sharing: Sharing,
    publish_at: PublishAt,
    published_at: PublishedAt,
    embeddable_by: EmbeddableBy,
    purchase_url: Track.shape.purchase_url,
    purchase_title: Track.shape.purchase_title,
    artwork_url: Track.shape.artwork_url,
    description: Track.shape.description,
    label: Track.shape.label,
    label_id: Track.shape.label_id,
    label_name: Track.shape.label_name,
    duration: Count.meta(about("Milliseconds of all its tracks.", 215340)),
    loudness: Loudness.nullable().describe(
      "Mean energy, weighted by duration, and highest peak of the tracks that you can see. `range` is null, because ranges do not add up. Null until a track's is known.",
    ),
    genre: Track.shape.genre,
    tag_list: Track.shape.tag_list,
    tags: Text.meta(about("The same as `tag_list`; null if there are none.", 'ambient "night drive"')),
    release: Track.shape.release,
    release_day: Track.shape.release_day,
    release_month: Track.shape.release_month,
    release_year: Track.shape.release_year,
    license: License,
    track_count: Count.meta(about("Counts the tracks that you can see.", 12)),
    streamable: z.boolean().nullable().meta(about("Null if the tracks differ or there are none.", true)),
    downloadable: z.boolean().nullable().meta(about("Null if the tracks differ or there are none.", true)),
    ean: Text.meta(about("European article number. Null if the owner gave none.", "4006381333931")),
    playlist_type: PlaylistType.nullable().meta(about("Kind of release; null if none was given.", "album")),
    type: PlaylistType.nullable().describe("The same as `playlist_type`."),
    is_podcast: z.boolean().meta(about("Whether its owner offers it as a [podcast](/docs/podcasts).", false)),
    likes_count: Count.meta(about("Number of likes.", 41)),
    reposts_count: Count.meta(about("Number of reposts.", 5)),
    secret_token: Track.shape.secret_token,
    secret_uri: z
      .url()
      .optional()
      .meta(
        about(
          "Shown to the owner only.",
          "https://api.soundpost.example/playlists/338914811904500?secret_token=s-8Kq2bTzY1wN4vRj7LmXc3D",
        ),
      ),
    tracks: z
      .array(PlaylistTrack)
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
  const secret =
    playlist.secret_sealed && playlist.taken_down_at === null
      ? unsealBase64(env, playlist.secret_sealed)
      : undefined;
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
    publish_at: playlist.publish_at && rfc3339(playlist.publish_at),
    published_at: playlist.published_at && rfc3339(playlist.published_at),
    embeddable_by: playlist.embeddable_by,
    purchase_url: playlist.purchase_url,
    purchase_title: playlist.purchase_title,
    artwork_url: artworkUrl(env, playlist),
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
    is_podcast: playlist.is_podcast,
    likes_count: playlist.favoritings_count,
    reposts_count: playlist.reposts_count,
    ...(secret && { secret_token: secret, secret_uri: `${uri}?secret_token=${secret}` }),
    ...(playlist.track_ids && { tracks: playlist.track_ids.map((id) => ({ id })) }),
  };
}
