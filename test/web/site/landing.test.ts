import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { startThreeHosts, threeHosts } from "./three-hosts.ts";

const shared = await threeHosts();
let ana: Person;
let set: Playlist;
/** A server whose operator chose Ana's set. */
let chosen: Awaited<ReturnType<typeof startThreeHosts>>;

beforeAll(async () => {
  ana = await createUser();
  const tracks = [];
  for (const title of ["First <b>", "Second"]) tracks.push(await createPlayableTrack(ana, { title }));
  await createPlayableTrack(ana, { title: "Third" });
  await createPlayableTrack(ana, { title: "Unheard", paywall: "blocked" });
  const json = {
    playlist: { title: "שחר בנמל", sharing: "public", tracks: tracks.map(({ id }) => ({ id })) },
  };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
  chosen = await startThreeHosts({ SITE_FEATURED: `/${ana.username}/sets/${set.permalink}` });
});
afterAll(() => chosen.stop());

const landing = async (host: Pick<typeof chosen, "open"> = chosen) => host.open().get("web", "/");

/** The release that leads: its title, and the words of its part of the page. */
function leadOf(html: string) {
  const [, lead = ""] =
    /<section class="record-head[\s\S]*?id="lead-title">([\s\S]*?)<\/section>/.exec(html) ?? [];
  return { title: />([^<]*)</.exec(lead)?.[1], lead };
}

const titlesOf = (html: string, label: string): string[] => {
  const [, list = ""] = new RegExp(`aria-label="${label}"[^>]*>([^]*?)</ul>\\s*</section`).exec(html) ?? [];
  return [...list.matchAll(/class="tile-title"><a [^>]*>([^<]*)</g)].map(([, title = ""]) => title);
};

describe("the operator's choice leads the page of visitors", () => {
  test("with its tracks in their order and a button that plays them all, by one statement", async () => {
    const { html, queries } = await landing();
    const { title, lead } = leadOf(html);
    expect([title, queries]).toEqual(["שחר בנמל", 1]);
    const { pathname } = new URL(set.permalink_url);
    expect(lead).toMatch(new RegExp(`class="button" href="[^"]*${pathname}" data-play-set="${set.id}"`));
    expect([...lead.matchAll(/class="row-title"><a [^>]*>([^<]*)</g)].map(([, each]) => each)).toEqual([
      "First &lt;b&gt;",
      "Second",
    ]);
  });

  test("unless it is private, or its owner is suspended", async () => {
    const share = (sharing: string) =>
      api.as(ana).put(`/playlists/${set.id}`, { json: { playlist: { sharing } } });
    await share("private");
    expect((await landing()).html).not.toContain("שחר בנמל");
    await share("public");
    expect(leadOf((await landing()).html).title).toBe("שחר בנמל");
    await sql("update users set disabled_at = now() where id = $1", [ana.id]);
    expect((await landing()).html).not.toContain("שחר בנמל");
    await sql("update users set disabled_at = null where id = $1", [ana.id]);
  });

  test("or nothing in it plays for everybody", async () => {
    await sql("update tracks set streamable = false where user_id = $1 and title <> 'Third'", [ana.id]);
    expect(leadOf((await landing()).html).title).not.toBe("שחר בנמל");
    await sql("update tracks set streamable = true where user_id = $1", [ana.id]);
  });
});

test("a setting that names nothing leaves the choice to the listeners, and a track can be chosen by its address", async () => {
  const { permalink } =
    (
      await sql<{ permalink: string }>(
        "select permalink from tracks where user_id = $1 and title = 'Third'",
        [ana.id],
      )
    )[0] ?? {};
  for (const [SITE_FEATURED, title] of [
    ["http://elsewhere.example/a/b", undefined],
    ["% <", undefined],
    [`${ana.username}/${permalink}`, "Third"],
  ] as const) {
    const server = await startThreeHosts({ SITE_FEATURED });
    const { status, html } = await landing(server);
    const lead = leadOf(html);
    expect(status).toBe(200);
    if (title) expect([lead.title, lead.lead.includes("<track-player")]).toEqual([title, true]);
    else expect(lead.title).toBeTruthy();
    await server.stop();
  }
});

test("the most liked of a week leads otherwise; older likes count nothing", async () => {
  // More than a thousand likes count no more, so none of another file's tracks has more.
  const fans = `fan-of-${ana.id}-`;
  await sql("insert into users (username, permalink) select 'fan', $1 || n from generate_series(1, 1000) n", [
    fans,
  ]);
  onTestFinished(async () => {
    await sql("delete from users where starts_with(permalink, $1)", [fans]);
  });
  const leader = async () => {
    const { id } = await createPlayableTrack(ana, { title: "Loved" });
    await sql(
      "insert into favorites (user_id, track_id) select id, $2 from users where starts_with(permalink, $1)",
      [fans, id],
    );
    return leadOf((await landing(shared)).html).title;
  };
  // Among a hundred newer tracks of other tests it is not looked at.
  await expect.poll(leader).toBe("Loved");
  await createPlayableTrack(ana, { title: "Newer" });
  await sql(
    `update favorites set id = id - 4096.0 * 1000 * 60 * 60 * 24 * 8
     where track_id in (select id from tracks where user_id = $1 and title = 'Loved')`,
    [ana.id],
  );
  expect(leadOf((await landing(shared)).html).title).not.toBe("Loved");
});

test("New has at most two tracks of one uploader, and none that does not play for everybody", async () => {
  const own = async () => {
    const owner = await createUser();
    for (const title of ["One", "Two", "Three"])
      await createPlayableTrack(owner, { title: `${title} ${owner.id}` });
    await createPlayableTrack(owner, { title: `Unheard ${owner.id}`, paywall: "blocked" });
    const titles = titlesOf((await landing(shared)).html, "New tracks");
    return titles.filter((title) => title.endsWith(` ${owner.id}`)).map((title) => title.split(" ")[0]);
  };
  // Many tracks of another file may push them off the list.
  await expect.poll(own).toEqual(["Three", "Two"]);
});

test("says what is better here, with something to try for each", async () => {
  const { html } = await landing();
  const [, list = ""] = /<ul class="promises">([\s\S]*?)<\/ul>/.exec(html) ?? [];
  const links = [...list.matchAll(/href="([^"]+)"/g)].map(
    ([, href = ""]) => new URL(href.replaceAll("&amp;", "&")),
  );
  const paths = links.map(({ pathname }) => pathname);
  expect(paths).toEqual([
    "/upload",
    "/docs/reference/tracks",
    `/${ana.username}/feed.xml`,
    "/docs",
    "/oembed",
  ]);
  const statuses = links.slice(1).map(async ({ hostname, pathname, search }) => {
    const host = hostname.startsWith("api") ? "api" : "web";
    return (await chosen.open().get(host, pathname + search)).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
});

test("the feed has people to follow beside it, whom one's own follow first, and what was played last", async () => {
  const [reader, friend, known, stranger] = await Promise.all([
    createUser(),
    createUser(),
    createUser(),
    createUser(),
  ]);
  for (const person of [friend, known, stranger])
    await createPlayableTrack(person, { title: `By ${person.username}` });
  await api.as(friend).put(`/me/followings/${known.id}`);
  await api.as(reader).put(`/me/followings/${friend.id}`);
  const heard = await createPlayableTrack(stranger, { title: "Heard" });
  await sql("insert into recent_plays (user_id, track_id, played_at) values ($1, $2, now())", [
    reader.id,
    heard.id,
  ]);
  const { html, queries } = await (await shared.enter(reader)).get("web", "/");
  expect(queries).toBe(1);
  const rows = (label: string) => {
    const [, list = ""] =
      new RegExp(`<ul class="rows" aria-label="${label}"[^>]*>([^]*?)</ul>\\s*</section`).exec(html) ?? [];
    return [...list.matchAll(/class="row-title"><a [^>]*>([^<]*)</g)].map(([, title = ""]) => title);
  };
  expect(rows("People to follow")[0]).toBe(known.username);
  expect(rows("People to follow")).not.toContain(friend.username);
  expect(rows("People to follow")).not.toContain(reader.username);
  expect(rows("Recently played")).toEqual(["Heard"]);
  expect(html).toMatch(new RegExp(`class="row-title post-title"><a [^>]*>By ${friend.username}<`));
});
