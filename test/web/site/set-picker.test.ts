import { beforeEach, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();

let ana: Person;
let browser: ThreeHostsBrowser;
let set: Playlist;
let edit: string;

beforeEach(async () => {
  ana = await createUser();
  browser = await service.open().enterSite(ana.id);
  const json = { playlist: { title: "Days", tracks: [] } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  edit = `${new URL(set.permalink_url).pathname}/edit`;
});

const idsIn = async () =>
  (await api.as(ana).get<Playlist>(`/playlists/${set.id}`)).body.tracks?.map(({ id }) => id);

/** Sends the form of a track that was found. */
function add(html: string, id: number) {
  const [form = ""] = html.split("<form").filter((each) => each.includes(`name="track" value="${id}"`));
  const fieldOf = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? "").replaceAll("&amp;", "&");
  return browser.post("web", `/you/acts/add-to-set/${set.id}`, {
    form_token: fieldOf("form_token"),
    next: fieldOf("next"),
    track: String(id),
  });
}

test("one's own tracks are found, private ones too, and added by a press that leads back to the search", async () => {
  const own = await createTrack(ana, { title: "Northern light", sharing: "private" });
  await createTrack(ana, { title: "Something else" });
  const { html } = await browser.get("web", `${edit}?find=northern`);
  expect(html).toContain(">Northern light</a>");
  expect(html).not.toContain(">Something else</a>");
  const reply = await add(html, own.id);
  expect([reply.status, `${reply.location?.pathname}${reply.location?.search}`]).toEqual([
    303,
    `${edit}?find=northern`,
  ]);
  expect(await idsIn()).toEqual([own.id]);
  const again = await browser.get("web", `${edit}?find=northern`);
  expect(again.html).toContain("In the set");
  expect(again.html).not.toContain(`aria-label="Add Northern light"`);
});

test("an empty search lists the newest own tracks; public ones of others need words", async () => {
  const bob = await createUser();
  const word = `w${bob.username}`;
  const theirs = await createPlayableTrack(bob, { title: `Open ${word}` });
  await createPlayableTrack(bob, { title: `Closed ${word}`, sharing: "private" });
  const own = await createTrack(ana, { title: "Own", sharing: "private" });
  const mine = await browser.get("web", `${edit}?find=&from=all`);
  expect([mine.html.includes(">Own</a>"), mine.html.includes(word)]).toEqual([true, false]);
  const all = await browser.get("web", `${edit}?find=${word}&from=all`);
  expect([all.html.includes(`>Open ${word}</a>`), all.html.includes(`>Closed ${word}</a>`)]).toEqual([
    true,
    false,
  ]);
  await add(all.html, theirs.id);
  await add(mine.html, own.id);
  expect(await idsIn()).toEqual([theirs.id, own.id]);
  expect((await browser.get("web", `${edit}?find=nothing-like-it`)).html).toContain("No track fits");
});

test("a full set says so instead of a search", async () => {
  const own = await createTrack(ana, { title: "Own" });
  const { html } = await browser.get("web", `${edit}?find=`);
  await sql(
    `with made as (insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size)
     select t.user_id, 'Filler ' || n, 'filler-' || n, sha256(t.secret_hash || n::text::bytea), t.secret_sealed, t.original_key || n,
       'x', 1 from tracks t, generate_series(1, 500) n where t.id = $1 returning id)
     insert into playlist_tracks (playlist_id, position, track_id) select $2, row_number() over (), id from made`,
    [own.id, set.id],
  );
  const full = await browser.get("web", edit);
  expect(full.html).toContain("it holds 500 tracks");
  expect(full.html).not.toContain("picker-find");
  const refused = await add(html, own.id);
  expect([refused.status, refused.html.includes("500 tracks at most")]).toEqual([422, true]);
});
