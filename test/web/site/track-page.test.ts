import { beforeAll, describe, expect, test } from "vitest";
import { createComment } from "../../api/comments/comments.support.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createRetryableTrack, createTrack } from "../../support/tracks.ts";
import { fieldsIn, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let fan: Person;

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUser()]);
});

const visitor = () => service.open();
const signedIn = (person: Person) => service.enter(person);
const pathOf = (permalink: string) => `/${ana.username}/${permalink}`;

/** Text of the page's element with this attribute, without tags. */
const textAt = (html: string, from: string, to: string): string =>
  (html.split(from)[1]?.split(to)[0] ?? "").replace(/<[^>]*>/g, " ");

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

describe("comments", () => {
  const write = async (path: string, fields: Record<string, string>, person = fan) =>
    (await signedIn(person)).submit(path, path, fields);

  test("are written at a moment, shown with author and moment, and lead to themselves", async () => {
    await createPlayableTrack(ana, { permalink: "talked" });
    const sent = await write(pathOf("talked"), { body: "Lovely <b>drums</b>\nhere", moment: "1:03" });
    expect([sent.status, sent.location?.hash]).toEqual([303, expect.stringMatching(/^#comment-\d+$/)]);
    const { html } = await visitor().get("web", pathOf("talked"));
    expect(html).toContain(`id="${sent.location?.hash.slice(1)}"`);
    expect(html).toContain("Lovely &lt;b&gt;drums&lt;/b&gt;<br />here");
    expect(html).toContain(`href="${pathOf("talked")}?t=63">1:03</a>`);
    expect(textAt(html, 'id="comments-heading"', "</h2>")).toContain("1 comment");
  });

  test.for([
    [{ body: "", moment: "" }, "Your comment must not be empty"],
    [{ body: "Hello", moment: "soon" }, "At must be a time such as 1:23"],
    [{ body: "x".repeat(2001), moment: "" }, "Your comment may have 2000 characters at most"],
  ] as const)("422: %o comes back with its problem beside the field", async ([fields, problem]) => {
    const permalink = `refused-${problem.length}-${fields.body.length}`;
    const { id } = await createPlayableTrack(ana, { permalink });
    const { status, html } = await write(pathOf(permalink), fields);
    expect(status).toBe(422);
    expect(html).toContain(problem);
    if (fields.body) expect(html).toContain(`\n${fields.body}</textarea>`);
    expect(html).toContain("<h1>A stored song</h1>");
    expect(await sql("select from comments where track_id = $1", [id])).toHaveLength(0);
  });

  test("403: a form that no page of ours showed", async () => {
    await createPlayableTrack(ana, { permalink: "forged" });
    const browser = await signedIn(fan);
    const reply = await browser.post("web", pathOf("forged"), { form_token: "x", body: "Hello", moment: "" });
    expect(reply.status).toBe(403);
  });

  test("come newest first, twenty a page, each once", async () => {
    const track = await createPlayableTrack(ana, { permalink: "busy" });
    for (let at = 0; at < 45; at++) await createComment(fan, track, { body: `Word ${at}.` });
    const seen: string[] = [];
    let path: string | undefined = pathOf("busy");
    for (let pages = 0; path && pages < 5; pages++) {
      const { html } = await visitor().get("web", path);
      seen.push(...Array.from(html.matchAll(/Word (\d+)\./g), ([, at = ""]) => at));
      path = /rel="next" href="([^"#]+)#comments"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => String(44 - at)));
  });

  test("are deleted by their author and by the track's owner, and by nobody else", async () => {
    const track = await createPlayableTrack(ana, { permalink: "moderated" });
    const [first, second] = [await createComment(fan, track), await createComment(fan, track)];
    const other = await (await signedIn(await createUser())).get("web", pathOf("moderated"));
    expect(other.html).not.toContain("delete-comment");
    for (const [person, { id }] of [
      [fan, first],
      [ana, second],
    ] as const) {
      const browser = await signedIn(person);
      const { html } = await browser.get("web", pathOf("moderated"));
      const action = `/you/acts/delete-comment/${id}`;
      // The second comes from a window that still shows the comment.
      for (let time = 0; time < 2; time++)
        expect((await browser.post("web", action, fieldsIn(html, action))).status).toBe(303);
    }
    expect(await sql("select from comments where track_id = $1", [track.id])).toHaveLength(0);
  });

  test("are the owner's alone where the owner says so, and end where none are taken", async () => {
    const track = await createPlayableTrack(ana, { permalink: "quiet", reveal_comments: false });
    await createComment(fan, track, { body: "A secret word" });
    await sql("update tracks set commentable = false where id = $1", [track.id]);
    const seenBy = async (person: Person) =>
      (await (await signedIn(person)).get("web", pathOf("quiet"))).html;
    expect(await seenBy(ana)).toContain("A secret word");
    expect(await seenBy(fan)).toContain("A secret word");
    expect(await seenBy(await createUser())).not.toContain("A secret word");
    expect(await seenBy(fan)).toContain("takes no comments");
    expect(await seenBy(fan)).not.toContain("<textarea id=");
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
    expect(html).toContain("Why this track failed");
    expect((await (await signedIn(fan)).get("web", pathOf("failed"))).html).not.toContain(
      "Why this track failed",
    );
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
