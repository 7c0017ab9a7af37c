import { beforeAll, describe, expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createRetryableTrack, createTrack } from "../../support/tracks.ts";
import { threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const enter = (person = ana) => service.open().enterSite(person.id);

test("/you leads to the own profile, and visitors to the sign-in", async () => {
  const reply = await (await enter()).get("web", "/you");
  expect([reply.status, reply.location?.pathname]).toEqual([303, `/${ana.username}`]);
  expect((await service.open().get("web", "/you")).location?.pathname).toBe("/session/new");
});

describe("/you/tracks", () => {
  test("leads visitors, and people whose session ended, to the sign-in and back", async () => {
    const browser = await enter(await createUser());
    const { html } = await browser.get("auth", "/settings");
    await browser.post("auth", "/signout", { form_token: tokenIn(html, "/signout") });
    for (const each of [browser, service.open()]) {
      const { status, location } = await each.get("web", "/you/tracks?filter=private");
      expect([status, location?.pathname]).toEqual([303, "/session/new"]);
      expect(location?.searchParams.get("next")).toBe("/you/tracks?filter=private");
    }
  });

  test("says so while there are none, and never shows another person's", async () => {
    await createTrack(ana, { title: "Not yours" });
    const { html } = await (await enter(await createUser())).get("web", "/you/tracks");
    expect(html).toContain("You have no tracks yet");
    expect(html).not.toContain("Not yours");
  });

  test("shows state, privacy and counts, and filters", async () => {
    const owner = await createUser();
    const ready = await createPlayableTrack(owner, { title: "Ready", playback_count: 1 });
    const draft = await createTrack(owner, { title: "Draft", sharing: "private" });
    await sql("update encoding_jobs set progress = 0.42 where track_id = $1", [draft.id]);
    await createTrack(owner, { title: "Broken", state: "failed" });
    const browser = await enter(owner);
    const seen = async () => {
      await sql("update tracks set favoritings_count = 1200 where id = $1", [ready.id]);
      return (await browser.get("web", "/you/tracks")).html;
    };
    // An operator's recount in another file may come between.
    await expect.poll(seen).toContain("<li>1 play</li><li>1,200 likes</li>");
    const html = await seen();
    expect(html).toContain("Encoding: 42%");
    expect(html).toContain("The audio is damaged and could not be decoded.");
    const shown = async (query: string) => {
      const page = await browser.get("web", `/you/tracks?${query}`);
      return ["Ready", "Draft", "Broken"].filter((title) => page.html.includes(`>${title}</a>`));
    };
    expect(await shown("filter=private")).toEqual(["Draft"]);
    expect(await shown("filter=public")).toEqual(["Ready", "Broken"]);
    expect(await shown("filter=nonsense")).toEqual(["Ready", "Draft", "Broken"]);
    expect(await shown("q=draft")).toEqual(["Draft"]);
  });

  test("leads on by a cursor, and keeps its filter", async () => {
    const owner = await createUser();
    for (let n = 0; n < 51; n++) await createTrack(owner, { title: `Take ${n}.`, sharing: "private" });
    const browser = await enter(owner);
    const first = await browser.get("web", "/you/tracks?filter=private");
    expect(first.html).toContain("Take 50.");
    expect(first.html).not.toContain("Take 0.");
    const [, more = ""] = /rel="next" href="([^"]+)"/.exec(first.html) ?? [];
    expect(more).toContain("filter=private");
    const second = await browser.get("web", more.replaceAll("&amp;", "&"));
    expect(second.html).toContain("Take 0.");
    expect(second.html).not.toContain("Take 50.");
    expect(second.html).not.toContain('rel="next"');
  });
});

describe("a failed track", () => {
  test("is tried again by its button, if the service was the cause", async () => {
    const owner = await createUser();
    const track = await createRetryableTrack(owner, { title: "Lost" });
    await sql("update encoding_jobs set failure_reason = 'lost' where track_id = $1", [track.id]);
    const browser = await enter(owner);
    const { html } = await browser.get("web", "/you/tracks");
    const action = `/you/acts/retry-track/${track.id}`;
    const reply = await browser.post("web", action, {
      form_token: tokenIn(html, action),
      next: "/you/tracks",
    });
    expect([reply.status, reply.location?.pathname]).toEqual([303, "/you/tracks"]);
    const [{ state } = { state: "" }] = await sql<{ state: string }>(
      "select state from tracks where id = $1",
      [track.id],
    );
    expect(state).not.toBe("failed");
  });

  test.for(["undecodable", "dropped"])(
    "has no such button after '%s', which no retry mends",
    async (code) => {
      const owner = await createUser();
      const { id } = await createTrack(owner, { state: "failed" });
      await sql("update encoding_jobs set failure_reason = $2 where track_id = $1", [id, code]);
      const { html } = await (await enter(owner)).get("web", "/you/tracks");
      expect(html).toContain("upload another file");
      expect(html).not.toContain("retry-track");
    },
  );
});

describe("deleting a track", () => {
  test("asks first, deletes it, and leads to the list", async () => {
    const owner = await createUser();
    const track = await createTrack(owner, { title: "Old <b>" });
    const browser = await enter(owner);
    const action = `/you/tracks/${track.id}/delete`;
    const { html } = await browser.get("web", action);
    expect(html).toContain("Delete “Old &lt;b&gt;”?");
    expect(await sql("select from tracks where id = $1", [track.id])).toHaveLength(1);
    const reply = await browser.post("web", action, { form_token: tokenIn(html, action) });
    expect([reply.status, reply.location?.pathname]).toEqual([303, "/you/tracks"]);
    expect(await sql("select from tracks where id = $1", [track.id])).toHaveLength(0);
    expect((await browser.get("web", action)).status).toBe(404);
  });

  test("is 404 for another person's track, and 403 with another form's token", async () => {
    const owner = await createUser();
    const [theirs, own] = [await createTrack(owner), await createTrack(ana)];
    const browser = await enter();
    expect((await browser.get("web", `/you/tracks/${theirs.id}/delete`)).status).toBe(404);
    const { html } = await browser.get("web", `/you/tracks/${own.id}/delete`);
    const form = { form_token: tokenIn(html, `/you/tracks/${own.id}/delete`) };
    expect((await browser.post("web", `/you/tracks/${theirs.id}/delete`, form)).status).toBe(403);
    expect(await sql("select from tracks where id = $1", [theirs.id])).toHaveLength(1);
  });
});
