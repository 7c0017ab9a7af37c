import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

/** Where the links of a row's menu lead, and what it shares. */
async function menuIn(path: string, title: string, viewer?: Person) {
  const browser = viewer ? await service.enter(viewer) : service.open();
  const { html } = await browser.get("web", path);
  const menus = html.matchAll(
    /<details class="more"([^>]*)><summary aria-label="More: ([^"]*)".*?<\/details>/g,
  );
  const [menu = "", attributes = ""] = [...menus].find(([, , name]) => name === title) ?? [];
  const web = `http://web.localhost:${service.port}`;
  return {
    links: Array.from(menu.matchAll(/href="([^"]*)"/g), ([, href = ""]) => href.replace(web, "")),
    share: /data-share="([^"]*)"/.exec(attributes)?.[1]?.replace(web, ""),
  };
}

test("without script, a row's menu has links: to a set, to the artist, and for the owner to edit and delete", async () => {
  const { id } = await createPlayableTrack(ana, { title: "Open", permalink: "open" });
  const path = `/${ana.username}`;
  const links = [`/you/sets/add?track=${id}`, path];
  const seen = await menuIn(path, "Open", await createUser());
  expect(seen).toEqual({ links, share: `${path}/open` });
  expect(await menuIn(path, "Open")).toEqual(seen);
  expect((await menuIn(path, "Open", ana)).links).toEqual([
    ...links,
    `${path}/open/edit`,
    `/you/tracks/${id}/delete`,
  ]);
});

test("a private set is shared by its link, and its private tracks are added to no set of others", async () => {
  const own = await createPlayableTrack(ana, { title: "Hidden", permalink: "hidden", sharing: "private" });
  const json = { playlist: { title: "Closed", sharing: "private", tracks: [{ id: own.id }] } };
  const { body: set } = await api.as(ana).post<Playlist>("/playlists", { json });
  const address = `/${ana.username}/sets/closed`;
  const opened = `${address}/${set.secret_token}`;
  expect((await menuIn(address, "Closed", ana)).share).toBe(opened);
  const guest = await createUser();
  expect((await menuIn(opened, "Closed", guest)).share).toBe(opened);
  expect(await menuIn(opened, "Hidden", guest)).toEqual({
    links: [`/${ana.username}`],
    share: `/${ana.username}/hidden/${set.secret_token}`,
  });
});
