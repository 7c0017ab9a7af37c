import { randomBytes } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import type { Env } from "../../../functions/http/env.ts";
import { representTrack, Track } from "../../../functions/tracks/representation.ts";
import type { ListPeerOptions, ListPeerReady } from "./list-options.ts";
import { playlistRoutes } from "./playlists.ts";
import { asRow, COLUMNS, compilable, JOINS, LIVE, type Row } from "./track-rows.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as ListPeerOptions;

// Parses integers as numbers and leaves times as text, the form of the reply.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1184, (text) => text);
const pool = new pg.Pool({
  connectionString: options.databaseUrl,
  max: 8,
  // The setting of our role. Without it the plans read whole tables.
  options: "-c random_page_cost=1.1",
});

/** Prepared statements check the session and visibility themselves. */
const listed = "t.sharing = 'public' and t.state <> 'failed'";
const QUERIES = {
  ids: `select ${COLUMNS} from tracks t ${JOINS} where t.id = any ($3::bigint[]) and ${listed} and ${LIVE} order by t.id desc`,
  newest: `select ${COLUMNS} from tracks t ${JOINS} where ${listed} and ${LIVE} order by t.id desc limit $3`,
};

const token = randomBytes(16).toString("hex");
const sessions = new Map([[`OAuth ${token}`, options]]);
const app = fastify({ logger: false });

app.get<{ Querystring: { ids?: string; limit?: number } }>(
  "/tracks",
  {
    schema: {
      querystring: { type: "object", properties: { ids: { type: "string" }, limit: { type: "integer" } } },
      response: { 200: { type: "array", items: compilable(Track) } },
    },
  },
  async (request, reply) => {
    const session = sessions.get(request.headers.authorization ?? "");
    if (!session) return reply.code(401).send();
    const { ids, limit = 50 } = request.query;
    const name = ids ? "ids" : "newest";
    const values = [session.userId, session.sessionId, ids ? ids.split(",") : limit];
    const { rows } = await pool.query<Row>({ name, text: QUERIES[name], values });
    return rows.map((row) => representTrack(options.env as Env, asRow(row)));
  },
);
playlistRoutes(app, pool, sessions);

await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
const port = typeof address === "object" && address ? address.port : 0;
console.log(JSON.stringify({ port, token } satisfies ListPeerReady));
