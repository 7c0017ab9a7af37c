import { beforeAll, describe, expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createRetryableTrack, createTrack } from "../../support/tracks.ts";
import { textAt, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let fan: Person;

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUser()]);
});

const visitor = () => service.open();
const signedIn = (person: Person) => service.enter(person);
const pathOf = (permalink: string) => `/${ana.username}/${permalink}`;

describe("the acts", () => {
  test.for([
    ["like-track", "favorites", "Liked"],
    ["repost-track", "reposts", "Reposted"],
  ] as const)("%s turns on and off, and the button says so", async ([act, table, said]) => {
    const { id } = await createPlayableTrack(ana, { permalink: act });
    const browser = await signedIn(fan);
    const rows = () => sql(`select from ${table} where user_id = $1 and track_id = $2`, [fan.id, id]);
    expect((await browser.submit(pathOf(act), `/you/acts/${act}/${id}`)).location?.pathname).toBe(
      pathOf(act),
    );
    expect(await rows()).toHaveLength(1);
    const { html } = await browser.get("web", pathOf(act));
    expect(html).toMatch(new RegExp(`aria-pressed="true"[^>]*><span [^>]*title="${said}"`));
    await browser.submit(pathOf(act), `/you/acts/un${act}/${id}`);
    expect(await rows()).toHaveLength(0);
  });

  test("follow the artist and end it; owners cannot follow themselves", async () => {
    await createPlayableTrack(ana, { permalink: "followed" });
    const browser = await signedIn(fan);
    await browser.submit(pathOf("followed"), `/you/acts/follow/${ana.id}`);
    expect((await browser.get("web", pathOf("followed"))).html).toContain(`/you/acts/unfollow/${ana.id}`);
    await browser.submit(pathOf("followed"), `/you/acts/unfollow/${ana.id}`);
    expect(await sql("select from followings where user_id = $1", [fan.id])).toHaveLength(0);
    const own = await (await signedIn(ana)).get("web", pathOf("followed"));
    expect(own.html).not.toContain(`/you/acts/follow/${ana.id}`);
  });

  test("a private link's holder likes the track that it opens", async () => {
    const { id, secret } = await createPlayableTrack(ana, { permalink: "between-us", sharing: "private" });
    const browser = await signedIn(fan);
    const reply = await browser.submit(`${pathOf("between-us")}/${secret}`, `/you/acts/like-track/${id}`);
    expect([reply.status, reply.location?.pathname]).toEqual([303, `${pathOf("between-us")}/${secret}`]);
    expect(await sql("select from favorites where track_id = $1", [id])).toHaveLength(1);
    // Sets take only what their owner sees without a link.
    const { html } = await browser.get("web", `${pathOf("between-us")}/${secret}`);
    expect(html).not.toContain(`/you/sets/add?track=${id}`);
  });

  test("visitors see them as links that lead to sign in and back", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "seen" });
    const { html } = await visitor().get("web", pathOf("seen"));
    // A comment is kept until they have signed in.
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    expect(main).toMatch(/<form[^>]* data-wants/);
    expect(main).not.toContain('method="post"');
    expect(html).toContain(
      `/session/new?next=${encodeURIComponent(pathOf("seen"))}" data-turbo="false" data-wants="like-track/${id}"><span class="icon-words" title="Like"`,
    );
    expect(html).toContain("to comment.");
  });

  test("owners find the ways to edit, and nobody else does", async () => {
    await createPlayableTrack(ana, { permalink: "mine" });
    const edit = `${pathOf("mine")}/edit"`;
    expect((await (await signedIn(ana)).get("web", pathOf("mine"))).html).toContain(edit);
    expect((await (await signedIn(fan)).get("web", pathOf("mine"))).html).not.toContain(edit);
  });
});

describe("sharing", () => {
  test("offers the address and the code to embed it", async () => {
    await createPlayableTrack(ana, { permalink: "shared" });
    const { html } = await visitor().get("web", pathOf("shared"));
    expect(html).toContain(`value="http://web.localhost:${service.port}${pathOf("shared")}"`);
    expect(html).toContain("&lt;iframe");
  });

  test("offers the private link to the owner and its holders alone", async () => {
    const { id, secret } = await createPlayableTrack(ana, { permalink: "hushed", sharing: "private" });
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [id, fan.id]);
    const link = `${pathOf("hushed")}/${secret}`;
    expect((await (await signedIn(ana)).get("web", pathOf("hushed"))).html).toContain(link);
    expect((await visitor().get("web", link)).html).toContain(
      `value="http://web.localhost:${service.port}${link}"`,
    );
    const shared = await (await signedIn(fan)).get("web", pathOf("hushed"));
    expect(shared.status).toBe(200);
    expect(shared.html).not.toContain(secret);
  });

  test("no code to embed what its owner does not let others embed", async () => {
    await createPlayableTrack(ana, { permalink: "unframed", embeddable_by: "none" });
    expect((await visitor().get("web", pathOf("unframed"))).html).not.toContain("iframe");
  });
});

describe("downloading", () => {
  test("leads to the file where the owner offers it, visitors too", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "offered", downloadable: true });
    const { html } = await visitor().get("web", pathOf("offered"));
    expect(html).toContain(`/you/download/${id}"`);
    const reply = await visitor().get("web", `/you/download/${id}`);
    expect([reply.status, reply.location?.search]).toEqual([302, expect.stringContaining("X-Amz-Signature")]);
  });

  test("is neither shown nor given where it is not offered, except to the owner", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "kept", downloadable: false });
    expect((await visitor().get("web", pathOf("kept"))).html).not.toContain("/you/download");
    expect((await visitor().get("web", `/you/download/${id}`)).status).toBe(404);
    const owner = await signedIn(ana);
    expect((await owner.get("web", pathOf("kept"))).html).toContain(`/you/download/${id}"`);
    expect((await owner.get("web", `/you/download/${id}`)).status).toBe(302);
  });
});

test("related tracks leave out what the reader cannot hear, and the track itself", async () => {
  const owner = await createUser();
  const common = { tag_list: "glacier" };
  await createPlayableTrack(owner, { ...common, title: "Shown here", permalink: "shown-here" });
  await createPlayableTrack(owner, { ...common, title: "Close by", permalink: "close-by" });
  await createPlayableTrack(owner, { ...common, title: "Unheard", streamable: false });
  await createPlayableTrack(owner, { ...common, title: "Unseen", sharing: "private" });
  const { html } = await visitor().get("web", `/${owner.username}/shown-here`);
  const related = textAt(html, 'id="related-heading"', "</main>");
  expect(related).toContain("Close by");
  expect(related).not.toMatch(/Shown here|Unheard|Unseen/);
});

test("tags and the genre lead to their pages", async () => {
  await createPlayableTrack(ana, {
    permalink: "tagged",
    genre: "Drum & Bass",
    tag_list: 'dawn "late night"',
  });
  const { html } = await visitor().get("web", pathOf("tagged"));
  for (const path of ["/discover?genre=Drum+%26+Bass", "/tags/dawn", "/tags/late%20night"])
    expect(html).toContain(`href="${path}"`);
});

describe("a track that failed", () => {
  test("tells its owner why and is tried again; others learn nothing", async () => {
    const { id } = await createRetryableTrack(ana, { permalink: "failed" });
    const owner = await signedIn(ana);
    const { html } = await owner.get("web", pathOf("failed"));
    expect(html).toContain("Only you can see why.");
    const others = (await (await signedIn(fan)).get("web", pathOf("failed"))).html;
    expect(others).toContain("Its file could not be encoded.");
    expect(others).not.toContain("Only you can see why.");
    expect(others).not.toContain("/delete");
    expect((await owner.submit(pathOf("failed"), `/you/acts/retry-track/${id}`)).status).toBe(303);
    const [track] = await sql<{ state: string }>("select state from tracks where id = $1", [id]);
    expect(track?.state).not.toBe("failed");
  });

  test("offers to delete it, and no second try where the file is the cause", async () => {
    const { id } = await createTrack(ana, { state: "failed", permalink: "hopeless" });
    const { html } = await (await signedIn(ana)).get("web", pathOf("hopeless"));
    expect(html).toContain("The audio is damaged");
    expect(html).not.toContain("retry-track");
    expect(html).toContain(`href="/you/tracks/${id}/delete"`);
  });
});

describe("while the owner changes things, visitors see", () => {
  test.for([
    ["made private", "update tracks set sharing = 'private' where id = $1", 404],
    [
      "of a disabled user",
      "update users set disabled_at = now() where id = (select user_id from tracks where id = $1)",
      404,
    ],
    ["deleted", "delete from tracks where id = $1", 404],
    ["no longer streamable", "update tracks set streamable = false where id = $1", 200],
  ] as const)("a track that is %s", async ([, change, status]) => {
    const owner = await createUser();
    const { id } = await createPlayableTrack(owner, { title: "Fleeting", permalink: "fleeting" });
    const path = `/${owner.username}/fleeting`;
    expect((await visitor().get("web", path)).html).toContain("Fleeting");
    await sql(change, [id]);
    const page = await visitor().get("web", path);
    expect(page.status).toBe(status);
    expect(page.html).not.toContain("/media/");
    if (status === 404) expect(page.html).not.toContain("Fleeting");
    else expect(page.html).toContain("Not available to you");
  });
});

test("a day of release without its month is not shown as a month", async () => {
  await createPlayableTrack(ana, { permalink: "dated", release_year: 2020, release_day: 11 });
  const released = async () =>
    textAt((await visitor().get("web", pathOf("dated"))).html, "<dt>Released</dt>", "</div>").trim();
  expect(await released()).toBe("2020");
  await sql("update tracks set release_month = 3 where permalink = 'dated' and user_id = $1", [ana.id]);
  expect(await released()).toBe("2020-03-11");
});

test("without a script the track plays, and programs that read the page find MP3 and HLS", async () => {
  await createPlayableTrack(ana, { permalink: "scriptless" });
  const { html } = await visitor().get("web", pathOf("scriptless"));
  const [, sources = ""] = /<noscript>.*?<audio [^>]*>(.*?)<\/audio>/s.exec(html) ?? [];
  const types = Array.from(
    sources.matchAll(/<source src="[^"]+\/media\/[^"]+" type="([^"]+)"/g),
    ([, type]) => type,
  );
  expect(types).toEqual(["audio/mpeg", "application/vnd.apple.mpegurl"]);
});
