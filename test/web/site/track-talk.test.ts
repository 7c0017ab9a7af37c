import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import { createComment } from "../../api/comments/comments.support.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let ben: Person;
let fan: Person;

beforeAll(async () => {
  [ana, ben, fan] = await Promise.all([createUser(), createUser(), createUser()]);
});

const visitor = () => service.open();
const signedIn = (person: Person) => service.enter(person);
const pathOf = (permalink: string) => `/${ana.username}/${permalink}`;
const replyPath = (permalink: string, { id }: { id: number }) => `${pathOf(permalink)}?reply=${id}`;

/** The ids of the comments on a page, in their order. */
const shown = (html: string) => Array.from(html.matchAll(/ id="comment-(\d+)"/g), ([, id]) => Number(id));

const idsOf = (...comments: Comment[]) => comments.map(({ id }) => id);

async function talk(permalink: string, fields: object = {}) {
  const track = await createPlayableTrack(ana, { permalink });
  const first = await createComment(ben, track, { body: "First of all", timestamp: 1_000, ...fields });
  const answer = (words: string, who = fan) =>
    createComment(who, track, { body: words, parent_id: first.id });
  return { track, first, answer };
}

describe("a thread", () => {
  test("stands below its first comment, oldest reply first, and the newest thread leads", async () => {
    const { track, first, answer } = await talk("threads");
    const [one, two] = [await answer("Answer one"), await answer("Answer two")];
    const later = await createComment(fan, track, { body: "Something else" });
    const three = await answer("Answer three");
    const { html } = await visitor().get("web", pathOf("threads"));
    expect(shown(html)).toEqual(idsOf(later, first, one, two, three));
    expect(html).toContain(`aria-label="Replies to ${ben.username}"`);
    // A reply is about the moment of its thread, which is told once.
    expect(html.split('class="comment-moment"')).toHaveLength(2);
    expect(html).toContain(">5 comments<");
  });

  test("stays readable without its first comment, whether that is deleted or its author left", async () => {
    const { first, answer } = await talk("headless");
    const reply = await answer("What remains");
    await sql("update users set disabled_at = now() where id = $1", [ben.id]);
    const left = await visitor().get("web", pathOf("headless"));
    await sql("update users set disabled_at = null where id = $1", [ben.id]);
    await sql("delete from comments where id = $1", [first.id]);
    const deleted = await visitor().get("web", pathOf("headless"));
    for (const { html } of [left, deleted]) {
      expect(shown(html)).toEqual(idsOf(first, reply));
      expect(html).toContain("The comment that began this thread is no longer here.");
      expect(html).not.toContain("First of all");
      expect(html).toContain("What remains");
    }
  });

  test("with many replies shows the newest, and leads to all of them", async () => {
    const { first, answer } = await talk("long");
    const replies: Comment[] = [];
    for (let n = 0; n < 60; n++) replies.push(await answer(`Answer ${n}`));
    const page = await visitor().get("web", pathOf("long"));
    expect(shown(page.html)).toEqual(idsOf(first, ...replies.slice(-6)));
    const seen = replies.slice(-6).map(({ id }) => id);
    let { html } = page;
    for (let pages = 0; pages < 5; pages++) {
      const path = /href="([^"#]+)#[^"]+">Earlier replies/.exec(html)?.[1]?.replaceAll("&amp;", "&");
      if (!path) break;
      ({ html } = await visitor().get("web", path));
      expect(shown(html)[0]).toBe(first.id);
      seen.unshift(...shown(html).slice(1));
    }
    expect(seen).toEqual(idsOf(...replies));
  });

  test("has a page of its own, by any of its comments, and none if there is no such comment", async () => {
    const { track, first, answer } = await talk("alone");
    const reply = await answer("Within");
    await createComment(fan, track, { body: "Beside" });
    const elsewhere = await talk("alone-elsewhere");
    for (const { id } of [first, reply]) {
      const { html } = await visitor().get("web", `${pathOf("alone")}?thread=${id}`);
      expect(shown(html)).toEqual(idsOf(first, reply));
      expect(html).toContain(`href="${pathOf("alone")}#comments">All comments`);
    }
    for (const id of [1, elsewhere.first.id, "9007199254740991"]) {
      const { status, html } = await visitor().get("web", `${pathOf("alone")}?thread=${id}`);
      expect([status, shown(html)]).toEqual([200, []]);
      expect(html).toContain("This comment is no longer here.");
    }
    expect(shown((await visitor().get("web", `${pathOf("alone")}?thread=x`)).html)).toHaveLength(3);
  });

  test("of a track that reveals no comments is its owner's, and offers no replies", async () => {
    const { track, first, answer } = await talk("hushed");
    const reply = await answer("A secret answer");
    await sql("update tracks set reveal_comments = false where id = $1", [track.id]);
    const seenBy = async (person: Person) =>
      (await (await signedIn(person)).get("web", pathOf("hushed"))).html;
    expect(shown(await seenBy(ana))).toEqual(idsOf(first, reply));
    expect(shown(await seenBy(ben))).toEqual(idsOf(first));
    expect(await seenBy(fan)).toContain("no longer here");
    expect(shown(await seenBy(await createUser()))).toEqual([]);
    expect(await seenBy(ana)).not.toContain("data-reply");
  });
});

describe("a reply without a script", () => {
  test("is written on a page of its own, and leads to itself in its thread", async () => {
    const { track, first } = await talk("answered");
    const browser = await signedIn(fan);
    const { html } = await browser.get("web", pathOf("answered"));
    expect(html).toContain(`href="${replyPath("answered", first)}#reply"`);
    const path = replyPath("answered", first);
    const sent = await browser.submit(path, path, { body: "Yes <b>indeed</b>" });
    expect([sent.status, sent.location?.pathname, sent.location?.search]).toEqual([
      303,
      pathOf("answered"),
      `?thread=${first.id}`,
    ]);
    const [made] = await sql<{ id: number; body: string; parent: number; at: number }>(
      `select id::float8, body, parent_id::float8 as parent, timestamp_ms::float8 as at from comments
       where track_id = $1 and user_id = $2`,
      [track.id, fan.id],
    );
    expect(made).toMatchObject({ body: "Yes &lt;b&gt;indeed&lt;/b&gt;", parent: first.id, at: 1_000 });
    expect(sent.location?.hash).toBe(`#comment-${made?.id}`);
  });

  test("to a reply begins with its author's name", async () => {
    const { answer } = await talk("named");
    const reply = await answer("Says the fan");
    const { html } = await (await signedIn(ben)).get("web", replyPath("named", reply));
    expect(html).toContain(`\n@${fan.username} </textarea>`);
    expect(html).toContain(`Your reply to ${fan.username}`);
  });

  test("422: it comes back with its problem, beside its thread", async () => {
    const { first } = await talk("refused-reply");
    const path = replyPath("refused-reply", first);
    const long = "x".repeat(2001);
    const { status, html } = await (await signedIn(fan)).submit(path, path, { body: long });
    expect([status, shown(html)]).toEqual([422, [first.id]]);
    expect(html).toContain("Your reply may have 2000 characters at most");
    expect(html).toContain(`\n${long}</textarea>`);
  });

  test("422: to a comment that is gone, its words come back in the form for a comment", async () => {
    const { first } = await talk("vanished");
    const path = replyPath("vanished", first);
    const browser = await signedIn(fan);
    const { html } = await browser.get("web", path);
    const token =
      /name="form_token" value="([^"]+)"[^>]*>\s*<input type="hidden" name="track" value="(\d+)"/.exec(html);
    await sql("delete from comments where id = $1", [first.id]);
    const fields = { form_token: token?.[1] ?? "", track: token?.[2] ?? "", body: "Too late" };
    const reply = await browser.post("web", path, fields);
    expect(reply.status).toBe(422);
    expect(reply.html).toContain("The comment that you replied to is no longer there");
    expect(reply.html).toContain("\nToo late</textarea>");
    const posted = await browser.post("web", pathOf("vanished"), { ...fields, moment: "" });
    expect(posted.status).toBe(303);
  });

  test("is offered to visitors by way of the sign-in, and to nobody where none are taken", async () => {
    const { track, first } = await talk("offered-reply");
    const { html } = await visitor().get("web", pathOf("offered-reply"));
    expect(html).toContain(`/session/new?next=${encodeURIComponent(replyPath("offered-reply", first))}`);
    expect((await visitor().get("web", replyPath("offered-reply", first))).html).not.toContain(
      '<textarea id="reply-body"',
    );
    await sql("update tracks set commentable = false where id = $1", [track.id]);
    const closed = await (await signedIn(fan)).get("web", replyPath("offered-reply", first));
    expect(closed.html).not.toContain("<textarea id=");
    expect(closed.html).not.toContain(">Reply<");
  });

  test("leads back only within the site", async () => {
    const { first } = await talk("led-astray");
    const path = replyPath("led-astray", first);
    const browser = await signedIn(fan);
    const sent = await browser.submit(path, path, { body: "Hello", next: "https://elsewhere.example/" });
    expect([sent.status, sent.location?.origin]).toEqual([303, `http://web.localhost:${service.port}`]);
    expect(sent.location?.pathname).toBe(pathOf("led-astray"));
  });

  test("on a private track keeps the link that opened it", async () => {
    const track = await createPlayableTrack(ana, { permalink: "between", sharing: "private" });
    const first = await createComment(ana, track, {}, `?secret_token=${track.secret}`);
    const path = `${pathOf("between")}/${track.secret}?reply=${first.id}`;
    const sent = await (await signedIn(fan)).submit(path, path, { body: "Between us" });
    expect([sent.status, sent.location?.pathname]).toEqual([303, `${pathOf("between")}/${track.secret}`]);
  });
});
