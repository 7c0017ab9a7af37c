import { beforeAll, expect, test } from "vitest";
import { budgetIn, use } from "../../lib/http/budgets.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "./playlists.ts";

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

async function createSet(sharing: "public" | "private" = "public") {
  const { id } = await createPlayableTrack(ana);
  const set = await createPlaylist(ana, { tracks: named([id]), sharing });
  return { track: `/tracks/${id}`, path: `/playlists/${set.id}/podcast` };
}

test("a podcaster sets everything that directories ask for, and its feed shows it", async () => {
  const { track, path } = await createSet("private");
  expect((await api.as(ana).get(path)).status).toBe(404);
  const podcast = {
    category: "Society & Culture > Documentary",
    owner_email: "ana@example.com",
    explicit: true,
  };
  const made = await api.as(ana).put<Record<string, string>>(path, { json: { podcast } });
  expect(made.body).toMatchObject({ ...podcast, language: "en", podcast_type: "episodic", author: null });
  const episode = {
    season: 2,
    number: 7,
    explicit: false,
    episode_type: "bonus",
    transcript_url: "https://example.com/7.vtt",
  };
  const description = "0:00 Hello\n0:01 The guest";
  await api.as(ana).put(track, { json: { track: { description } } });
  const saved = await api.as(ana).put(`${track}/episode`, { json: { episode } });
  const chapters = [
    { start: 0, title: "Hello" },
    { start: 1000, title: "The guest" },
  ];
  expect(saved.body).toEqual({ ...episode, chapters });
  expect((await api.as(ana).get(`${track}/episode`)).body).toEqual(saved.body);
  const feed = await (await fetch(new URL(made.body.feed_url ?? "", stack.urls.api))).text();
  expect(feed).toContain("<itunes:email>ana@example.com</itunes:email>");
  expect(feed).toContain("<itunes:episode>7</itunes:episode>");
  expect(feed).toContain("<itunes:episodeType>bonus</itunes:episodeType>");
  // Lines as on the track's page.
  expect(feed).toContain("<content:encoded>0:00 Hello&lt;br /&gt;\n0:01 The guest</content:encoded>");
  expect(feed).toContain('url="https://example.com/7.vtt"');
});

test("a change keeps what it omits; null and an empty form value clear; deleting ends the podcast", async () => {
  const { track, path } = await createSet();
  await api.as(ana).put(path, { json: { podcast: { category: "Arts", author: "Ana", owner_name: "A." } } });
  await api.as(ana).put(path, { json: { podcast: { language: "pt-BR", owner_name: null } } });
  const sent = await api.as(ana).put(path, { form: { "podcast[author]": "", "podcast[explicit]": "yes" } });
  expect(sent.body).toMatchObject({
    category: "Arts",
    language: "pt-BR",
    author: null,
    owner_name: null,
    explicit: true,
  });
  await api.as(ana).put(`${track}/episode`, { json: { episode: { season: 1, number: 2 } } });
  const cleared = await api
    .as(ana)
    .put(`${track}/episode`, { form: { "episode[season]": "", "episode[number]": "3" } });
  expect(cleared.body).toMatchObject({ season: null, number: 3 });
  for (const _ of ["once", "again"]) expect((await api.as(ana).delete(path)).status).toBe(200);
  expect((await api.as(ana).get(path)).status).toBe(404);
});

test.each(["es-419", "zh-Hant-TW", "gsw"])("a podcast's language may be %s", async (language) => {
  const { path } = await createSet();
  const { body } = await api.as(ana).put(path, { json: { podcast: { category: "Arts", language } } });
  expect(body).toMatchObject({ language });
});

test("403 or 404: nobody else reads or changes the fields", async () => {
  const [open, hidden] = await Promise.all([createSet(), createSet("private")]);
  const json = { podcast: { category: "Arts" }, episode: { number: 1 } };
  for (const [path, status] of [
    [open.path, 403],
    [`${open.track}/episode`, 403],
    [hidden.path, 404],
    ["/playlists/1/podcast", 404],
    ["/tracks/1/episode", 404],
  ] as const) {
    expect((await api.as(ben).get(path)).status, path).toBe(status);
    expect((await api.as(ben).put(path, { json })).status, path).toBe(status);
    if (path.endsWith("/podcast")) expect((await api.as(ben).delete(path)).status, path).toBe(status);
  }
});

test.each([
  [{}, "podcast[category]"],
  [{ category: "Nonsense" }, "podcast[category]"],
  [{ category: "Arts", language: "english" }, "podcast[language]"],
  [{ category: "Arts", language: "es-4190" }, "podcast[language]"],
  [{ category: "Arts", owner_email: "nobody" }, "podcast[owner_email]"],
  [{ category: "Arts", podcast_type: "weekly" }, "podcast[podcast_type]"],
  [{ category: "Arts", explicit: "perhaps" }, "podcast[explicit]"],
  [{ category: "Arts", locked: "perhaps" }, "podcast[locked]"],
  [{ category: "Arts", new_feed_url: "javascript:alert(1)" }, "podcast[new_feed_url]"],
  [{ category: "Arts", new_feed_url: "https://a.example/\u0001" }, "podcast[new_feed_url]"],
  [{ category: "Arts", author: "x".repeat(101) }, "podcast[author]"],
])("422: %j is refused by the field's name", async (podcast, field) => {
  const { path } = await createSet();
  const reply = await api.as(ana).put(path, { json: { podcast } });
  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).toContain(field);
});

test.each([
  [{ season: 0 }, "episode[season]"],
  [{ number: 10_000 }, "episode[number]"],
  [{ number: 1.5 }, "episode[number]"],
  [{ episode_type: "half" }, "episode[episode_type]"],
  [{ transcript_url: "ftp://example.com/a.vtt" }, "episode[transcript_url]"],
  [{ transcript_url: "https://a.example/\0" }, "episode[transcript_url]"],
  [{ transcript_url: "https://a.example/\ud800" }, "episode[transcript_url]"],
  [{ transcript_url: "https://a.example/\u0001 x" }, "episode[transcript_url]"],
  [{ explicit: "perhaps" }, "episode[explicit]"],
])("422: the episode's %j is refused by the field's name", async (episode, field) => {
  const { track } = await createSet();
  const reply = await api.as(ana).put(`${track}/episode`, { json: { episode } });
  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).toContain(field);
});

test("changes count as edits of playlists, and beyond the budget change nothing", async () => {
  const who = await createUser();
  const path = `/playlists/${(await createPlaylist(who)).id}/podcast`;
  const change = (category: string) => api.as(who).put(path, { json: { podcast: { category } } });
  expect(budgetIn(await change("Arts"))).toMatchObject({ name: "playlist-edits", remaining: 998 });
  await use(who, "playlist-edits", 1_000);
  expect((await change("Music")).status).toBe(429);
  expect((await api.as(who).get(path)).body).toMatchObject({ category: "Arts" });
});
