import { beforeAll, describe, expect, test } from "vitest";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import type { WebProfile } from "../../../functions/api/web-profiles/representation.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createApp, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

/** A form saves what its user changed. A newer change of another window, an app or the service stays. */

const service = await threeHosts();
let ana: Person;
let browser: ThreeHostsBrowser;

beforeAll(async () => {
  ana = await createUser();
  browser = await service.enter(ana);
});

type Fields = Record<string, string>;
/** A field that is left out, as a browser leaves out a box that is not ticked. */
type Changes = Record<string, string | undefined>;

/** Opens a form, and returns a function that sends it with some fields changed, whenever it is called. */
async function openForm(host: "web" | "auth", page: string, action = page) {
  const fields = fieldsIn((await browser.get(host, page)).html, action);
  return async (changes: Changes) => {
    const sent = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined);
    return browser.post(host, action, Object.fromEntries(sent) as Fields);
  };
}

describe("a form that was open while another window saved keeps the other's change", () => {
  test("of the profile", async () => {
    const old = await openForm("auth", "/settings", "/settings/profile");
    const newer = await openForm("auth", "/settings", "/settings/profile");
    expect((await newer({ description: "One\r\ntwo", website: "https://ana.example" })).status).toBe(303);
    expect((await old({ city: "Berlin" })).status).toBe(303);
    const { body } = await api.as(ana).get<Me>("/me");
    expect(body).toMatchObject({ city: "Berlin", description: "One\ntwo", website: "https://ana.example" });
  });

  test("of a profile that was refused first", async () => {
    const old = await openForm("auth", "/settings", "/settings/profile");
    await (await openForm("auth", "/settings", "/settings/profile"))({ city: "Rome" });
    const { html } = await old({ website: "nonsense" });
    const again = fieldsIn(html, "/settings/profile");
    const reply = await browser.post("auth", "/settings/profile", { ...again, website: "https://b.example" });
    expect(reply.status).toBe(303);
    expect((await api.as(ana).get<Me>("/me")).body).toMatchObject({
      city: "Rome",
      website: "https://b.example",
    });
  });

  test("of the links, with the services and names that only apps set", async () => {
    const links = (...urls: string[]) => urls.map((url) => ({ url, service: "own", username: "ana" }));
    const put = (...urls: string[]) => api.as(ana).put("/me/web-profiles", { json: links(...urls) });
    await put("https://a.example", "https://b.example", "https://c.example");
    const old = await openForm("web", "/you/links");
    await put("https://a.example", "https://c.example", "https://d.example");
    const reply = await old({ title_0: "Mine", url_2: "", url_3: "https://e.example" });
    expect(reply.location?.search).toBe("?notice=saved");
    const { body } = await api.as(ana).get<WebProfile[]>("/me/web-profiles");
    expect(body.map(({ url, title, service: of, username }) => [url, title, of, username])).toEqual([
      ["https://a.example", "Mine", "own", "ana"],
      ["https://e.example", null, "personal", null],
      ["https://d.example", null, "own", "ana"],
    ]);
  });

  test("of a connection", async () => {
    const [made] = await sql<{ id: number }>(
      `insert into connections (user_id, service, external_id, display_name, tokens_sealed, post_publish, post_favorite)
       values ($1, 'mastodon', 'x', 'Ana', '', true, false) returning id::float8 as id`,
      [ana.id],
    );
    const path = `/you/connections/${made?.id}`;
    const old = await openForm("web", "/you/connections", path);
    await (await openForm("web", "/you/connections", path))({ post_publish: undefined });
    expect((await old({ post_favorite: "on" })).status).toBe(303);
    const [stored] = await sql("select post_publish, post_favorite from connections where id = $1", [
      made?.id,
    ]);
    expect(stored).toEqual({ post_publish: false, post_favorite: true });
  });

  test("of a podcast, also when it was none in the meantime", async () => {
    const { id, permalink } = await createPlaylist(ana, { title: "Show" });
    const path = `/${ana.username}/sets/${permalink}/podcast`;
    const podcast = async () => (await api.as(ana).get(`/playlists/${id}/podcast`)).body;
    await (await openForm("web", path))({ author: "Ana", language: "de" });
    const old = await openForm("web", path);
    await (await openForm("web", path))({ author: "Ana & Bo" });
    expect((await old({ owner_name: "Bo", language: "it" })).status).toBe(303);
    expect(await podcast()).toMatchObject({ author: "Ana & Bo", owner_name: "Bo", language: "it" });
    await api.as(ana).delete(`/playlists/${id}/podcast`);
    await old({ explicit: "yes" });
    expect(await podcast()).toMatchObject({ author: "Ana", language: "de", explicit: true });
  });

  test("of an episode", async () => {
    const { id } = await createTrack(ana, { permalink: "first" });
    const path = `/${ana.username}/first/episode`;
    const old = await openForm("web", path);
    await (await openForm("web", path))({ season: "2", explicit: "yes" });
    expect((await old({ number: "7" })).status).toBe(303);
    const { body } = await api.as(ana).get(`/tracks/${id}/episode`);
    expect(body).toMatchObject({ season: 2, number: 7, explicit: true });
  });

  test("of a webhook, which does not switch on again what the service switched off", async () => {
    const create = await openForm("web", "/you/webhooks");
    const { html } = await create({ url: "https://receiver.example.com/a", follow_created: "on" });
    const path = /href="(\/you\/webhooks\/\d+)"/.exec(html)?.[1] ?? "";
    const old = await openForm("web", path);
    await sql("update webhooks set enabled = false, disabled_reason = 'gone' where id = $1", [
      path.split("/").at(-1),
    ]);
    await (await openForm("web", path))({ url: "https://receiver.example.com/b" });
    expect((await old({ like_created: "on" })).status).toBe(303);
    const { html: now } = await browser.get("web", path);
    expect(now).toContain("the address said that it is gone");
    expect(fieldsIn(now, path)).toMatchObject({
      url: "https://receiver.example.com/b",
      follow_created: "on",
      like_created: "on",
    });
  });

  test("of an app", async () => {
    const { id } = await createApp();
    await sql("update apps set owner_id = $1 where id = $2", [ana.id, id]);
    const path = `/you/apps/${id}`;
    const old = await openForm("auth", "/you/apps", path);
    await (await openForm("auth", "/you/apps", path))({ redirect_uris: "https://new.example/cb" });
    expect((await old({ name: "Renamed" })).status).toBe(303);
    expect((await old({})).status).toBe(303);
    const { html } = await browser.get("auth", "/you/apps");
    expect(fieldsIn(html, path)).toMatchObject({ name: "Renamed", redirect_uris: "https://new.example/cb" });
  });
});

test("a form that does not tell what it showed saves all that it holds, also after it was refused", async () => {
  const old = await openForm("auth", "/settings", "/settings/profile");
  const { html } = await old({ shown: undefined, city: "Ulm", website: "nonsense" });
  const again = fieldsIn(html, "/settings/profile");
  await browser.post("auth", "/settings/profile", { ...again, website: "https://c.example" });
  const { body } = await api.as(ana).get<Me>("/me");
  expect(body).toMatchObject({ city: "Ulm", website: "https://c.example" });
});
