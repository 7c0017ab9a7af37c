import { beforeAll, describe, expect, test } from "vitest";
import type { Activities, Activity } from "../../../functions/api/activities/representation.ts";
import type { Connection } from "../../../functions/api/connections/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Oembed } from "../../../functions/web/embed/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { createPlaylist } from "../playlists/playlists.ts";

/** Activities concern Ana's tracks. Ben follows her; Cid, whom he does not follow, shares one with him. */
let ana: Person;
let ben: Person;
let toAna: Activity[];
let toBen: Activity[];

beforeAll(async () => {
  [ana, ben] = [await createUser({ plan: "artist" }), await createUser()];
  const cid = await createUser();
  await api.as(ben).put(`/me/followings/${ana.id}`);
  const published = await createPlayableTrack(ana);
  for (const owner of [ana, cid]) {
    const { id } = await createPlayableTrack(owner, { sharing: "private" });
    const json = { users: [{ id: ben.id }], sharing_note: "For you" };
    expect((await api.as(owner).put(`/tracks/${id}/shared-to/users`, { json })).status).toBe(200);
  }
  await api.as(ben).post(`/likes/tracks/${published.id}`);
  await createComment(ben, published, { timestamp: 5 });
  await createComment(ana, published, { timestamp: 5 });
  toAna = (await api.as(ana).get<Activities>("/me/activities")).body.collection;
  toBen = (await api.as(ben).get<Activities>("/me/activities")).body.collection;
});

const ofType = (activities: Activity[], type: string) => activities.filter((each) => each.type === type);
const tagged = (activities: Activity[], tag: string) =>
  activities.filter(({ tags }) => tags?.split(", ").includes(tag)).map(({ type }) => type);

const MINI_TRACK = { id: expect.any(Number), kind: "track", title: expect.any(String) };
const MINI_USER = { id: expect.any(Number), kind: "user", username: expect.any(String) };

describe("activities", () => {
  test.each([
    ["track", () => toBen, { kind: "track", state: "finished" }],
    ["track-sharing", () => toBen, { kind: "track", sharing_note: { text: "For you" } }],
    ["comment", () => toAna, { kind: "comment", user: MINI_USER, track: MINI_TRACK }],
    ["favoriting", () => toAna, { track: MINI_TRACK, user: MINI_USER }],
  ])("a %s has its time, tags and origin", (type, seen, origin) => {
    const [activity] = ofType(seen(), type);
    expect(activity).toMatchObject({ type, origin });
    expect(activity?.created_at).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/);
    expect(activity).toHaveProperty("tags");
  });

  test.each([
    ["exclusive", () => tagged(toBen, "exclusive"), ["track-sharing", "track-sharing"]],
    ["affiliated", () => tagged(toBen, "affiliated"), expect.arrayContaining(["track", "track-sharing"])],
    ["first", () => tagged(toBen, "first"), ["track-sharing"]],
    ["own", () => tagged(toAna, "own"), ["comment", "favoriting"]],
    ["conversation", () => tagged(toBen, "conversation"), ["comment"]],
  ])("the tag %s occurs where specified", (_, found, expected) => {
    expect(found()).toEqual(expected);
  });

  test.each([
    ["/me/activities", () => toBen.length],
    ["/me/activities/tracks/affiliated", () => 2],
    ["/me/activities/tracks/exclusive", () => 2],
    ["/me/activities/all/own", () => 0],
  ])(
    "%s comes newest first, in pages by `cursor`, and `future_href` returns newer ones",
    async (path, total) => {
      const whole = (await api.as(ben).get<Activities>(path)).body;
      expect(whole.collection).toHaveLength(total());
      const times = whole.collection.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted().toReversed());
      const read: Activity[] = [];
      let href: string | undefined = `${path}?limit=1`;
      while (href) {
        const { body }: { body: Activities } = await api.as(ben).get<Activities>(href);
        read.push(...body.collection);
        href = body.next_href;
        if (href) expect(new URL(href).searchParams.has("cursor")).toBe(true);
      }
      expect(read).toEqual(whole.collection);
      expect((await api.as(ben).get<Activities>(whole.future_href)).body.collection).toEqual([]);
    },
  );
});

describe("a connection", () => {
  const made: Connection[] = [];

  beforeAll(async () => {
    await sql(
      `insert into connections (user_id, service, external_id, display_name, post_favorite, post_publish, tokens_sealed)
       values ($1, 'facebook_page', $2, 'A page', true, false, 'x')`,
      [ana.id, `page-${ana.id}`],
    );
    made.push(...(await api.as(ana).get<Connection[]>("/me/connections")).body);
  });

  test.each([
    ["id", expect.any(Number)],
    ["created_at", expect.stringMatching(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/)],
    ["display_name", "A page"],
    ["post_favorite", expect.any(Boolean)],
    ["post_publish", expect.any(Boolean)],
    ["service", "facebook_page"],
    ["type", "facebook_page"],
    ["uri", expect.stringMatching(/\/me\/connections\/\d+$|\/connections\/\d+$/)],
  ])("has its %s", (field, value) => {
    expect(made).toEqual([expect.objectContaining({ [field]: value })]);
  });

  test.each(["facebook_profile", "twitter", "myspace"])("%s can be connected", async (service) => {
    const form = { service, redirect_uri: "https://client.example/" };
    expect((await api.as(ana).post("/me/connections", { form })).status).toBe(202);
  });
});

describe("an embed", () => {
  const asked = async (query = "") => {
    const url = encodeURIComponent(`${stack.urls.api}/${ana.username}`);
    return (await api.get<Oembed>(`/oembed?url=${url}${query}`)).body;
  };

  test.each([
    ["version", 1],
    ["type", expect.any(String)],
    ["provider_name", expect.any(String)],
    ["provider_url", expect.stringMatching(/^http/)],
    ["height", 450],
    ["width", "100%"],
    ["title", expect.any(String)],
    ["description", ""],
    ["html", expect.stringMatching(/^<iframe /)],
  ])("has its %s", async (field, value) => {
    expect(await asked()).toEqual(expect.objectContaining({ [field]: value }));
  });

  test.each([
    [
      "a track",
      async () => (await api.as(ana).get<Track[]>("/me/tracks?filter=public")).body[0]?.permalink_url,
      166,
      81,
    ],
    ["a set", async () => (await createPlaylist(ana)).permalink_url, 450, 305],
  ])("%s is 100%% wide and %i high, and as the older widget %i", async (_, find, height, olderHeight) => {
    const url = encodeURIComponent((await find()) ?? "");
    const [today, older] = ["", "&iframe=false"].map(
      async (more) => (await api.get<Oembed>(`/oembed?url=${url}${more}`)).body,
    );
    expect(await today).toMatchObject({ width: "100%", height });
    expect(await older).toMatchObject({ width: "100%", height: olderHeight });
  });

  test.each([
    ["maxwidth=300", { width: 300 }],
    ["maxheight=200", { height: 200 }],
    ["iframe=false", { html: expect.stringMatching(/^<object /) }],
    ["color=ff5500", { html: expect.stringContaining("color=ff5500") }],
    ["auto_play=true", { html: expect.stringContaining("auto_play=true") }],
    ["show_comments=false", { html: expect.stringContaining("show_comments=false") }],
  ])("accepts %s", async (query, shown) => {
    expect(await asked(`&${query}`)).toMatchObject(shown);
  });
});
