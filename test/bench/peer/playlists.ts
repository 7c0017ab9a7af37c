import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { PlaylistRow } from "../../../db/queries/playlists.ts";
import type { Env } from "../../../functions/http/env.ts";
import { Playlist, representPlaylist } from "../../../functions/playlists/representation.ts";
import { representTrack } from "../../../functions/tracks/representation.ts";
import type { ListPeerOptions } from "./list-options.ts";
import {
  asRow,
  COLUMNS,
  compilable,
  createdAt,
  joinsOfMany,
  LIVE,
  loudnessOf,
  ownerOf,
  type Row,
} from "./track-rows.ts";

/** `$3` is the playlist. */
const PLAYLIST = `
  select p.*, u.permalink as u_permalink, u.username as u_username, u.avatar_version as u_avatar, u.updated_at as u_updated,
    p.favoritings_count + coalesce(d.likes, 0) as likes_count, p.reposts_count + coalesce(d.reposts, 0) as reposts_count
  from playlists p join users u on u.id = p.user_id and u.disabled_at is null
  left join lateral (select sum(delta) filter (where counter = 'favoritings_count')::bigint as likes,
    sum(delta) filter (where counter = 'reposts_count')::bigint as reposts
    from counter_deltas c where c.subject_id = p.id and c.kind = 'playlist') d on true
  where p.id = $3 and (p.sharing = 'public' or p.user_id = $1) and ${LIVE}`;

const ENTRIES = `
  select ${COLUMNS} from playlist_tracks e join tracks t on t.id = e.track_id
  ${joinsOfMany("select track_id from playlist_tracks where playlist_id = $3")}
  where e.playlist_id = $3 and (t.sharing = 'public' or t.user_id = $1
    or exists (select from track_shares s where s.track_id = t.id and s.user_id = $1))
    and (t.state <> 'failed' or t.user_id = $1) and ${LIVE}
  order by e.position`;

/** The value that all share, or null. */
const common = (values: boolean[]) => (values.every((value) => value === values[0]) ? values[0] : null);

export function playlistRoutes(app: FastifyInstance, pool: pg.Pool, sessions: Map<string, ListPeerOptions>) {
  app.get<{ Params: { id: number } }>(
    "/playlists/:id",
    {
      schema: {
        params: { type: "object", properties: { id: { type: "integer" } } },
        response: { 200: compilable(Playlist) },
      },
    },
    async (request, reply) => {
      const session = sessions.get(request.headers.authorization ?? "");
      if (!session) return reply.code(401).send();
      const values = [session.userId, session.sessionId, request.params.id];
      const [found, entries] = await Promise.all([
        pool.query<Row>({ name: "playlist", text: PLAYLIST, values }),
        pool.query<Row>({ name: "entries", text: ENTRIES, values }),
      ]);
      const [row] = found.rows;
      if (!row) return reply.code(404).send();
      const tracks = entries.rows.map((entry) => representTrack(session.env as Env, asRow(entry)));
      const playlist = {
        ...row,
        ...{ created_at: createdAt(row.id), user: ownerOf(row), label: null, secret_sealed: null },
        track_count: tracks.length,
        duration_ms: tracks.reduce((sum, { duration }) => sum + duration, 0),
        streamable: common(tracks.map(({ streamable }) => streamable)),
        downloadable: common(tracks.map(({ downloadable }) => downloadable)),
        loudness: loudnessOf(tracks),
      } as unknown as PlaylistRow;
      return { ...representPlaylist(session.env as Env, playlist), tracks };
    },
  );
}
