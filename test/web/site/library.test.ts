import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let fan: Person;
let track: { id: number };

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUser()]);
  track = await createPlayableTrack(ana, { title: "Tide <i>" });
});

const PAGES = [
  "/you/library",
  "/you/library?show=liked-sets",
  "/you/library?show=sets",
  "/you/library?show=reposts",
  "/you/library?show=reposted-sets",
  "/you/history",
  "/you/notifications",
  "/you/notifications?show=comments",
  "/you/notifications?show=follows",
];

describe.each(PAGES)("%s", (path) => {
  test("is one statement, with words where nothing is yet", async () => {
    const { status, html, queries } = await (await service.enter(await createUser())).get("web", path);
    expect([status, queries]).toEqual([200, 1]);
    expect(html).toContain('class="empty"');
  });

  test("leads visitors and ended sessions to the sign-in and back", async () => {
    const back = `/session/new?${new URLSearchParams({ next: path })}`;
    const visitor = (await service.open().get("web", path)).location;
    expect(`${visitor?.pathname}${visitor?.search}`).toBe(back);
    const person = await createUser();
    const browser = await service.enter(person);
    await sql("update sessions set revoked_at = now() where user_id = $1", [person.id]);
    const { location } = await browser.get("web", path);
    expect(`${location?.pathname}${location?.search}`).toBe(back);
  });

  test("refuses a cursor of another list", async () => {
    const address = `${path}${path.includes("?") ? "&" : "?"}cursor=nonsense`;
    expect((await (await service.enter(fan)).get("web", address)).status).toBe(400);
  });
});

test("the library shows liked and reposted tracks and sets, and unlikes a track", async () => {
  const set = await api
    .as(ana)
    .post<{ id: number }>("/playlists", { json: { playlist: { title: "Evening set", sharing: "public" } } });
  await api.as(fan).post(`/likes/tracks/${track.id}`);
  await api.as(fan).post(`/reposts/tracks/${track.id}`);
  await api.as(fan).post(`/likes/playlists/${set.body.id}`);
  await api.as(fan).post(`/reposts/playlists/${set.body.id}`);
  const browser = await service.enter(fan);
  const page = async (show: string) => (await browser.get("web", `/you/library?show=${show}`)).html;
  for (const [show, title] of [
    ["tracks", "Tide &lt;i&gt;"],
    ["reposts", "Tide &lt;i&gt;"],
    ["liked-sets", "Evening set"],
    ["reposted-sets", "Evening set"],
    ["nonsense", "Tide &lt;i&gt;"],
  ] as const)
    expect(await page(show), show).toContain(title);
  const [, token = ""] =
    /name="form_token" value="([^"]+)"/.exec((await page("tracks")).split("unlike-track")[1] ?? "") ?? [];
  const undone = await browser.post("web", `/you/acts/unlike-track/${track.id}`, {
    form_token: token,
    next: "/you/library",
  });
  expect([undone.status, undone.location?.pathname]).toEqual([303, "/you/library"]);
  expect(await page("tracks")).not.toContain("Tide");
});

test("the history shows what was played, to the listener alone", async () => {
  await sql("insert into recent_plays (user_id, track_id, played_at) values ($1, $2, now())", [
    fan.id,
    track.id,
  ]);
  expect((await (await service.enter(fan)).get("web", "/you/history")).html).toContain("Tide &lt;i&gt;");
  expect((await (await service.enter(ana)).get("web", "/you/history")).html).not.toContain("Tide");
});
