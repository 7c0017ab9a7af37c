import type { Playlist } from "../../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../../functions/api/tracks/representation.ts";
import { api } from "../../../support/api.ts";
import { createUser, type Person } from "../../../support/people.ts";
import { sql } from "../../../support/stack.ts";
import { createPlayableTrack } from "../../../support/tracks.ts";
import { createComment } from "../../comments/comments.support.ts";
import { createPlaylist, named } from "../../playlists/playlists.ts";

const ABOUT = {
  title: "Full",
  purchase_url: "https://shop.example.com/",
  purchase_title: "Buy",
  description: "All of it",
  label_name: "Records",
  genre: "Folk",
  tag_list: "one",
  release: "R-1",
  release_date: "2003-02-01",
};

/** Resources of a user with all fields filled, and bare ones, with whatever fills the lists. */
export async function makeFixtures() {
  const [ana, fan, label, bare, far] = await Promise.all([
    createUser({ plan: "artist-pro" }),
    createUser(),
    createUser(),
    createUser(),
    createUser(),
  ]);
  const full = await createPlayableTrack(ana);
  const about = { ...ABOUT, label_id: label.id };
  const track = { ...about, downloadable: true, bpm: 120, isrc: "DEAB00000001", key_signature: "C" };
  await api.as(ana).put(`/tracks/${full.id}`, { json: { track } });
  await sql("update tracks set available_country_codes = '{DE}' where id = $1", [full.id]);
  const fans = await createPlayableTrack(fan, { genre: "Folk", title: "Full of fans" });
  const own = await createPlayableTrack(ana, { downloadable: true });
  const set = await createPlaylist(ana, {
    ...about,
    ean: "4006381333931",
    playlist_type: "album",
    tracks: named([full.id, own.id]),
  });
  for (const [table, id] of [
    ["tracks", full.id],
    ["playlists", set.id],
  ] as const)
    await sql(`update ${table} set artwork_version = repeat('a', 32) where id = $1`, [id]);
  await sql(
    `update users set country = 'DE', city = 'Berlin', full_name = 'Ana A', discogs_name = 'ana', description = 'Sings',
       website = 'https://example.com/', website_title = 'Home' where id = $1`,
    [ana.id],
  );
  const profiles = [
    { url: "https://example.com/me", title: "Home", username: "ana" },
    { url: "https://example.com/bare" },
  ];
  await api.as(ana).put(`/users/${ana.id}/web-profiles`, { json: { web_profiles: profiles } });
  for (const [who, ids] of [
    [ana, [fan.id, far.id]],
    [fan, [ana.id, label.id]],
    [bare, [fan.id, ana.id, label.id]],
  ] as const)
    for (const id of ids) await api.as(who).put(`/me/followings/${id}`);
  for (const [who, id] of [
    [ana, fans.id],
    [ana, full.id],
    [fan, full.id],
  ] as const)
    for (const kind of ["likes", "reposts"]) await api.as(who).post(`/${kind}/tracks/${id}`);
  for (const who of [ana, fan])
    for (const kind of ["likes", "reposts"]) await api.as(who).post(`/${kind}/playlists/${set.id}`);
  await api.as(ana).post(`/tracks/${full.id}/plays`);
  await createComment(fan, full, { timestamp: 5 });
  await createComment(fan, full);
  return {
    ana,
    fan,
    label,
    bare,
    full,
    own,
    set,
    names: await namesOf({ ana, fan, label, bare, full, own, set }),
  };
}

interface Made {
  ana: Person;
  fan: Person;
  label: Person;
  bare: Person;
  full: { id: number };
  own: { id: number };
  set: Playlist;
}

/** Values of the names in braces. Users, tracks and playlists are named by URN, as the official document has it. */
async function namesOf({ ana, fan, label, bare, full, own, set }: Made): Promise<Record<string, string>> {
  const { body } = await api.as(ana).get<Track>(`/tracks/${full.id}`);
  const spare = await createPlaylist(ana);
  const spareTrack = await createPlayableTrack(ana);
  const urn = (kind: string, { id }: { id: number }) => `soundcloud:${kind}:${id}`;
  return {
    ana: urn("users", ana),
    fan: urn("users", fan),
    label: urn("users", label),
    "bare-user": urn("users", bare),
    name: ana.username,
    full: urn("tracks", full),
    bare: urn("tracks", own),
    "spare-track": urn("tracks", spareTrack),
    set: urn("playlists", set),
    spare: urn("playlists", spare),
    secret: new URL(body.secret_uri ?? "").searchParams.get("secret_token") ?? "",
    page: body.permalink_url,
    token: (await createUser()).token,
  };
}
