import { randomBytes } from "node:crypto";
import type { Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { STORED_MEDIA } from "../../support/tracks.ts";

/** One word, too long for the search's index. Indexing a text of as many characters takes seven times the time. */
const FILLER = "x";

/**
 * Inserts public, finished tracks with descriptions of `chars` characters, in one order by both ids. Returns ids,
 * newest first.
 */
export async function describedTracks(owner: Person, count: number, chars: number): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    `insert into tracks (id, published_id, user_id, title, permalink, description, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size, state, duration_ms, media_prefix, media)
     select id, id, $1::bigint, 'Described ' || n, $2::text || n, rpad(n || ' ', $3, $6),
       sha256(($2::text || n)::bytea), '', 'in/' || $1::bigint || '/' || $2::text || n, 'song.wav', 1000, 'finished', 10000, 't/' || $2::text || n, $4
     from (select next_id() as id, n from generate_series(1, $5::integer) n) made returning id::float8 as id`,
    [owner.id, `d${randomBytes(6).toString("hex")}-`, chars, JSON.stringify(STORED_MEDIA), count, FILLER],
  );
  return rows.map(({ id }) => id).sort((a, b) => b - a);
}
