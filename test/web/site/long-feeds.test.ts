import { expect, test } from "vitest";
import { get } from "../../api/media/media-files.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { createUser } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, feedFaults, textIn } from "./podcasts.support.ts";

async function feedOf(path: string) {
  const { bytes, headers } = await get(`${stack.urls.api}${path}/feed.xml`);
  const rss = parseXml(bytes.toString());
  const items = childrenOf(child(rss, "channel"), "item");
  return { rss, items, titles: items.map((item) => textIn(item, "title")), bytes: bytes.length, headers };
}

/** Stores playable tracks of these numbers, published in their order. */
const createTracks = (user: { id: number }, description: string | null, from: number, to: number) =>
  sql(
    `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
      original_content_size, state, duration_ms, media_prefix, media, description, published_id)
      select $1, 'No ' || n, 'no-' || n, '\\x00', '\\x00', gen_random_uuid(), 'f', 1, 'finished', 1000, 't/1/x/', $2, $3, n
      from generate_series($4::int, $5::int) n`,
    [
      user.id,
      JSON.stringify({ renditions: { mp3_128: { bytes: 9, part_bytes: 9 } } }),
      description,
      from,
      to,
    ],
  );

test("a user's feed holds the 300 tracks published last, fewer if their texts are long", async () => {
  const many = await createUser();
  await createTracks(many, null, 1, 301);
  const { titles } = await feedOf(`/${many.username}`);
  expect([titles.length, titles.includes("No 1")]).toEqual([300, false]);
  await sql("update tracks set published_id = default where user_id = $1 and permalink = 'no-1'", [many.id]);
  const { titles: republished } = await feedOf(`/${many.username}`);
  expect([republished[0], republished.length, republished.includes("No 2")]).toEqual(["No 1", 300, false]);
  await createTracks(many, "x".repeat(20_000), 302, 401);
  const long = await feedOf(`/${many.username}`);
  expect(long.items.length).toBeGreaterThan(30);
  expect(long.bytes).toBeLessThan(2_000_000);
});

test("a podcast's feed holds all its episodes, and shortens the notes of the oldest if they are long", async () => {
  const many = await createUser();
  await createTracks(many, `<p>${"word ".repeat(3_000)}</p>`, 1, 500);
  const { id, permalink } = await createPlaylist(many, { sharing: "public" });
  await sql(
    "insert into playlist_tracks (playlist_id, track_id, position) select $1, id, published_id from tracks where user_id = $2",
    [id, many.id],
  );
  const { rss, items, titles, bytes, headers } = await feedOf(`/${many.username}/sets/${permalink}`);
  expect([titles[0], titles.at(-1), titles.length]).toEqual(["No 500", "No 1", 500]);
  expect(feedFaults(rss)).toEqual([]);
  expect(bytes).toBeLessThan(6_000_000);
  expect(headers.get("Server-Timing")).toContain("queries: 1");
  const noted = items.filter((item) => textIn(item, "content:encoded")).length;
  expect([noted > 100, noted < 500]).toEqual([true, true]);
  expect(textIn(items.at(-1) ?? rss, "description")).toMatch(/^word word .* …$/);
});
