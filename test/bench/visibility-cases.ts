import { newSecret } from "../../functions/api/tracks/secret.ts";
import { type Fan, fans } from "./fans.ts";
import { withDatabase } from "./list-sides.ts";
import type { Sent } from "./loader.ts";
import type { BenchStack } from "./stack.ts";

/** Copies the first track, with other columns. */
const COPY = `
insert into tracks
select r.* from tracks t, (select next_id() as id) n,
  jsonb_populate_record(t, $1::jsonb || jsonb_build_object('id', n.id, 'published_id', n.id, 'permalink', 'case-' || n.id)) r
where t.id = (select min(id) from tracks)
returning id::float8`;

const PLAYLIST = `
with made as (
  insert into playlists (user_id, title, permalink, sharing, secret_hash, secret_sealed)
  values ($1, 'Cases', 'cases-' || $2::text, $2, $3, $4) returning id)
insert into playlist_tracks (playlist_id, position, track_id)
select made.id, place, track from made, unnest($5::bigint[]) with ordinality u(track, place)
returning playlist_id::float8 as id`;

/** Inserts tracks that only some readers see or hear. Returns requests for each, alone and in lists, and such as are refused. */
export const visibilityCases = (stack: BenchStack, reader: Fan): Promise<Sent[]> =>
  withDatabase(stack, async (client) => {
    const [gone, ended] = await fans(stack, client, 2);
    if (!gone || !ended) throw new Error("No users were made");
    const secrets = () => {
      const { secretHash, secretSealed } = newSecret(stack.secrets).stored;
      return [Buffer.from(secretHash), secretSealed] as const;
    };
    const copy = async (columns: Record<string, unknown>): Promise<number> => {
      const [secret_hash, secret_sealed] = secrets().map((bytes) => `\\x${bytes.toString("hex")}`);
      const { rows } = await client.query(COPY, [JSON.stringify({ ...columns, secret_hash, secret_sealed })]);
      return rows[0].id;
    };
    const [hidden, own] = [{ sharing: "private" }, { user_id: reader.userId }];
    const shared = await copy(hidden);
    await client.query("insert into track_shares (track_id, user_id) values ($1, $2)", [
      shared,
      reader.userId,
    ]);
    const takenDown = await copy({ ...own, ...hidden, taken_down_at: "2026-01-01", artwork_version: "a" });
    await client.query(
      "insert into takedowns (track_id, reason, sharing) values ($1, 'Reported', 'public')",
      [takenDown],
    );
    const tracks = [shared, takenDown];
    for (const columns of [
      hidden,
      { ...hidden, ...own },
      { ...hidden, taken_down_at: "2026-01-01" },
      { user_id: gone.userId },
      { state: "failed" },
      { state: "failed", ...own },
      { streamable: false },
      { streamable: false, ...own },
      { available_country_codes: ["DE"] },
      { paywall: "preview" },
      { reveal_stats: false, reveal_comments: false },
      { label_id: gone.userId },
      { label_id: reader.userId, downloadable: true },
    ])
      tracks.push(await copy(columns));
    const playlistOf = async (user: number, sharing: string): Promise<number> =>
      (await client.query(PLAYLIST, [user, sharing, ...secrets(), tracks])).rows[0].id;
    const playlists = [
      await playlistOf(reader.userId, "private"),
      await playlistOf(ended.userId, "private"),
      await playlistOf(ended.userId, "public"),
      await playlistOf(gone.userId, "public"),
    ];
    await client.query("update users set disabled_at = now() where id = $1", [gone.userId]);
    await client.query("update sessions set revoked_at = now() where id = $1", [ended.sessionId]);

    const as = (token: string, path: string, method: Sent["method"] = "GET"): Sent => ({
      path,
      method,
      body: "",
      headers: { Authorization: `OAuth ${token}` },
    });
    const [first = 0] = tracks;
    return [
      ...tracks.flatMap((id) => [
        as(reader.token, `/tracks/${id}`),
        as(reader.token, `/likes/tracks/${id}`, "POST"),
        as(reader.token, `/likes/tracks/${id}`, "DELETE"),
      ]),
      as(reader.token, `/tracks?ids=${tracks}`),
      as(reader.token, "/tracks?limit=50"),
      ...playlists.map((id) => as(reader.token, `/playlists/${id}`)),
      ...[gone.token, ended.token, "junk"].map((token) => as(token, `/tracks/${first}`)),
    ];
  });
