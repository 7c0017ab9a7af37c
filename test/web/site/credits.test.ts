import { beforeEach, expect, test } from "vitest";
import { accept, artistsSeenBy, createCreditedTrack, credit } from "../../api/credits/credits.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { rowsIn } from "./news.support.ts";
import { fieldsIn, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let ben: Person;

beforeEach(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

const pageOf = async (path: string, who?: Person) =>
  (await (who ? await service.enter(who) : service.open()).get("web", path)).html;

const newsOf = async (who: Person) => rowsIn(await pageOf("/you/notifications", who));

test("the owner names artists in the form, without a script, and reads the answers there", async () => {
  const track = await createPlayableTrack(ana, { permalink: "named" });
  const path = `/${ana.username}/named/edit`;
  const browser = await service.enter(ana);
  const { html } = await browser.get("web", path);
  const lines = { artist_name_0: "Ben R.", artist_role_0: "producer", artist_user_0: `@${ben.username}` };
  const sent = { ...fieldsIn(html, path), ...lines, artist_name_2: "Lee", artist_role_2: "featured" };
  expect((await browser.postParts("web", path, sent)).status).toBe(303);
  expect(await artistsSeenBy(ana, track)).toMatchObject([
    { name: "Ben R.", role: "producer", user_id: ben.id, state: "pending" },
    { name: "Lee", role: "featured", user: null },
  ]);
  const again = await browser.get("web", path);
  expect(fieldsIn(again.html, path)).toMatchObject({ ...lines, artist_name_1: "Lee", artist_name_4: "" });
  expect(again.html).toContain(`${ben.username}</a> was asked, and is not linked yet.`);
  const nobody = { ...fieldsIn(again.html, path), artist_user_1: "@nobody-at-all" };
  const refused = await browser.postParts("web", path, nobody);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("Artists name a user who does not exist, as artist 2");
  expect(fieldsIn(refused.html, path).artist_user_1).toBe("@nobody-at-all");
});

test("the named user accepts in the news, without a script, and withdraws among the credits", async () => {
  const track = await createCreditedTrack(ana, [ben], { title: "Asked", permalink: "asked" });
  const page = `/${ana.username}/asked`;
  expect(await newsOf(ben)).toEqual([`New ${ana.username} named you as producer of Asked · today`]);
  expect(await pageOf(page)).toMatch(/Produced by\s*<bdi>/);

  const browser = await service.enter(ben);
  const accepting = `/you/acts/accept-credit/${track.id}`;
  expect((await browser.submit("/you/notifications", accepting)).status).toBe(303);
  expect(await newsOf(ben)).toEqual([`New ${ana.username} named you as producer of Asked · today`]);
  expect(await pageOf(page)).toMatch(new RegExp(`Produced by\\s*<a href="[^"]*/${ben.username}"><bdi>`));
  expect(await pageOf(`/${ben.username}`)).toMatch(/Appears on<\/h2>.*>Asked</s);

  const withdrawing = `/you/acts/decline-credit/${track.id}`;
  expect((await browser.submit("/you/credits", withdrawing)).status).toBe(303);
  expect(await newsOf(ben)).toEqual([]);
  expect(await pageOf(page)).toMatch(/Produced by\s*<bdi>/);
  expect(await pageOf(`/${ben.username}`)).not.toContain("Appears on");
});

test("news of a private track wait for its publication", async () => {
  const track = await createCreditedTrack(ana, [ben], { title: "Secret", sharing: "private" });
  expect(await newsOf(ben)).toEqual([]);
  expect(await pageOf("/you/credits", ben)).not.toContain("Secret");
  await api.as(ana).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
  expect(await newsOf(ben)).toEqual([`New ${ana.username} named you as producer of Secret · today`]);
});

test("pages, rows, machines and feeds name the artists", async () => {
  const track = await createPlayableTrack(ana, { title: "Shared", permalink: "shared" });
  await credit(ana, track, [
    { name: "The Harbour", role: "main" },
    { name: "Ben <R>", role: "featured", user_id: ben.id },
    { name: "Mia", role: "producer" },
    { name: "Lee", role: "composer" },
  ]);
  await accept(ben, track);
  const html = await pageOf(`/${ana.username}/shared`);
  expect(html).toContain("<title>Shared by The Harbour with Ben &lt;R&gt; ·");
  expect(html).toMatch(new RegExp(`with <a href="[^"]*/${ben.username}"><bdi>Ben &lt;R&gt;`));
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const link = expect.stringMatching(new RegExp(`/${ben.username}$`));
  expect(JSON.parse(json)).toMatchObject({
    "@type": "MusicRecording",
    byArtist: [{ name: "The Harbour" }, { name: "Ben <R>", url: link }],
    creator: { name: ana.username },
    producer: { "@type": "Person", name: "Mia" },
    recordingOf: { "@type": "MusicComposition", composer: { name: "Lee" } },
  });
  expect(await pageOf(`/${ana.username}`)).toContain("<bdi>The Harbour with Ben &lt;R&gt;</bdi>");

  const feed = await pageOf(`/${ana.username}/feed.xml`);
  expect(feed).toContain(`<itunes:author>${ana.username}</itunes:author>`);
  expect(feed).toMatch(
    new RegExp(
      `<podcast:person group="[^"]+" role="music contributor" img="[^"]+" href="[^"]*/${ben.username}">Ben &lt;R&gt;</`,
    ),
  );
  expect(feed).toContain('<podcast:person group="creative direction" role="producer">Mia</podcast:person>');
});

test("a row of a list begins with the artists and leaves the others to the track's page", async () => {
  const track = await createPlayableTrack(ana, { permalink: "choir" });
  const artists = Array.from({ length: 30 }, (_, at) => ({ name: `Singer number ${at + 1}`, role: "main" }));
  await api.as(ana).put(`/tracks/${track.id}`, { json: { track: { artists } } });
  const list = await pageOf(`/${ana.username}`);
  expect(list).toMatch(/<bdi>Singer number 1, Singer number 2, [^<]{0,40}…<\/bdi>/);
  expect(list).not.toContain("Singer number 30<");
  expect(await pageOf(`/${ana.username}/choir`)).toContain("<bdi>Singer number 30</bdi>");
});
