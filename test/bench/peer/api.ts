import fastify, { type FastifyRequest } from "fastify";
import pg from "pg";
import { Playlist, representPlaylist } from "../../../functions/api/playlists/representation.ts";
import { representTrack, Track } from "../../../functions/api/tracks/representation.ts";
import type { Env } from "../../../functions/lib/http/env.ts";
import type { ApiPeerOptions, ApiPeerReady } from "./api-options.ts";
import { compilable, type Row, toPlaylistRow, toTrackRow } from "./rows.ts";
import { ENTRIES, LIKE, NEWEST, PLAYLIST, TRACK, TRACKS_BY_ID, UNLIKE } from "./statements.ts";
import { tokenVerifier } from "./tokens.ts";

/**
 * The API by Fastify, `pg` and `jose`, as a careful team would write it: the same rights and replies by plain SQL, and JSON
 * compiled from a schema. It keeps no reply. Statements are unnamed, as a pooler in front of the database wants them.
 */
const options = JSON.parse(process.argv[2] ?? "{}") as ApiPeerOptions;
const env = options.env as Env;
const DEFAULT_LIMIT = 50;
const CONNECTIONS = 8;

// Numbers for integers, and times as our representations cut them.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1184, (text) => text.replace(" ", "T").replace(/\+00$/, "Z"));
const pool = new pg.Pool({
  connectionString: options.databaseUrl,
  max: CONNECTIONS,
  // The setting of our role. Without it the plans read whole tables.
  options: "-c random_page_cost=1.1 -c timezone=UTC",
});
const verify = tokenVerifier(options.tokens);
const app = fastify({ logger: false });

/** Returns what a statement finds, or `undefined` without a valid token and a live session. */
async function ask(
  { headers }: FastifyRequest,
  text: string,
  ...asked: unknown[]
): Promise<Row[] | undefined> {
  const viewer = await verify(headers.authorization);
  if (!viewer) return undefined;
  const values = [viewer.sessionId, viewer.clientId, viewer.userId, ...asked];
  const { rows } = await pool.query<Row>({ text, values });
  return rows.length > 0 ? rows.filter(({ id }) => id !== null) : undefined;
}

async function askTracks(
  request: FastifyRequest,
  text: string,
  asked: unknown,
): Promise<Track[] | undefined> {
  const rows = await ask(request, text, asked, request.headers["cf-ipcountry"] ?? null);
  return rows?.map((row) => representTrack(env, toTrackRow(row)));
}

app.get<{ Querystring: { ids?: string; limit?: number } }>(
  "/tracks",
  {
    schema: {
      querystring: { type: "object", properties: { ids: { type: "string" }, limit: { type: "integer" } } },
      response: { 200: { type: "array", items: compilable(Track) } },
    },
  },
  async (request, reply) => {
    const { ids, limit = DEFAULT_LIMIT } = request.query;
    const tracks = ids
      ? await askTracks(request, TRACKS_BY_ID, ids.split(","))
      : await askTracks(request, NEWEST, limit);
    return tracks ?? reply.code(401).send();
  },
);

app.get<{ Params: { id: string } }>(
  "/tracks/:id",
  { schema: { response: { 200: compilable(Track) } } },
  async (request, reply) => {
    const tracks = await askTracks(request, TRACK, request.params.id);
    return tracks?.[0] ?? reply.code(tracks ? 404 : 401).send();
  },
);

app.get<{ Params: { id: string } }>(
  "/playlists/:id",
  { schema: { response: { 200: compilable(Playlist) } } },
  async (request, reply) => {
    const { id } = request.params;
    const [found, tracks] = await Promise.all([ask(request, PLAYLIST, id), askTracks(request, ENTRIES, id)]);
    const [row] = found ?? [];
    if (!row || !tracks) return reply.code(found ? 404 : 401).send();
    return { ...representPlaylist(env, toPlaylistRow(row, tracks)), tracks };
  },
);

for (const [method, text] of [
  ["POST", LIKE],
  ["DELETE", UNLIKE],
] as const)
  app.route<{ Params: { id: string } }>({
    method,
    url: "/likes/tracks/:id",
    handler: async (request, reply) => {
      const found = await ask(request, text, request.params.id);
      return found?.[0] ? { status: "200 - OK" } : reply.code(found ? 404 : 401).send();
    },
  });

await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
const port = typeof address === "object" && address ? address.port : 0;
console.log(JSON.stringify({ port } satisfies ApiPeerReady));
