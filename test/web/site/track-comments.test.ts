import { beforeAll, describe, expect, test } from "vitest";
import { createComment } from "../../api/comments/comments.support.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { fieldsIn, textAt, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let fan: Person;

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUser()]);
});

const visitor = () => service.open();
const signedIn = (person: Person) => service.enter(person);
const pathOf = (permalink: string) => `/${ana.username}/${permalink}`;

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
