import { beforeAll, expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { fieldsIn, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let id: number;
let path: string;

beforeAll(async () => {
  ana = await createUser();
  ({ id } = await createTrack(ana, { title: "Pier", permalink: "pier" }));
  path = `/${ana.username}/pier`;
});

/** A page that stays open while its reader signs out in another tab. */
async function leftOpen(shown = path) {
  const browser = await service.enter(await createUser());
  const { html } = await browser.get("web", shown);
  await browser.post("web", "/session/end", { form_token: tokenIn(html, "/session/end") });
  return { browser, html };
}

test("401: a comment after signing out comes back beside a link that signs in and leads to its track", async () => {
  const { browser, html } = await leftOpen();
  const form = { ...fieldsIn(html, path), body: "Lovely <b>drums</b>" };
  for (const visit of [undefined, "/report"]) {
    if (visit) await browser.get("web", visit);
    const sent = await browser.post("web", path, form);
    expect(sent.status).toBe(401);
    expect(sent.html).toContain(`href="/session/new?next=${encodeURIComponent(path)}"`);
    expect(sent.html).toContain("Lovely &lt;b&gt;drums&lt;/b&gt;</textarea>");
  }
  expect(await sql("select from comments where track_id = $1", [id])).toHaveLength(0);
});

/** A text without what is matched, and the match. */
function partedAt(html: string, pattern: RegExp): [string, string] {
  const [found = ""] = pattern.exec(html) ?? [];
  return [html.replace(found, ""), found];
}

/** The pages to which a page's links lead after the sign-in. */
const signInsIn = (html: string): string[] =>
  Array.from(html.matchAll(/\/session\/new\?[^"]*?next=([^"&]+)/g), ([, next = ""]) =>
    decodeURIComponent(next),
  );

test("401: a like after signing out leads to the sign-in and back to its page", async () => {
  const { browser, html } = await leftOpen();
  const like = `/you/acts/like-track/${id}`;
  const sent = await browser.post("web", like, { form_token: tokenIn(html, like), next: path });
  expect(sent.status).toBe(401);
  expect(sent.html).toContain(`href="/session/new?next=${encodeURIComponent(path)}"`);
  const [page, foot] = partedAt(sent.html, /<nav class="bottom-bar"[\s\S]*?<\/nav>/);
  expect(new Set(signInsIn(page))).toEqual(new Set([path]));
  // The places at a phone's foot lead to themselves.
  expect(signInsIn(foot)).toEqual(["/upload", "/you"]);
});

test("403: signing out twice, and settings after signing out, say that nobody is signed in", async () => {
  const { browser, html } = await leftOpen();
  const again = await browser.post("web", "/session/end", { form_token: tokenIn(html, "/session/end") });
  expect([again.status, again.html.includes("You have signed out")]).toEqual([403, true]);

  const other = service.open();
  await other.signInAt(ana.id);
  const settings = await other.get("auth", "/settings");
  await other.post("auth", "/signout", { form_token: tokenIn(settings.html, "/signout") });
  const profile = await other.post("auth", "/settings/profile", fieldsIn(settings.html, "/settings/profile"));
  expect([profile.status, profile.html.includes("You have signed out")]).toEqual([403, true]);
});

test("403: a comment of an earlier session comes back, and is not sent as somebody else", async () => {
  const { browser, html } = await leftOpen();
  await browser.enterSite((await createUser()).id);
  const sent = await browser.post("web", path, { ...fieldsIn(html, path), body: "Lovely" });
  expect(sent.status).toBe(403);
  expect(sent.html).toContain("Somebody has signed in in this browser since the form was shown");
  expect(sent.html).toContain(`class="button" href="${path}"`);
  expect(sent.html).toContain("Lovely</textarea>");
  expect(await sql("select from comments where track_id = $1", [id])).toHaveLength(0);
});

test("403: a form with a made-up token shows nothing of what it holds", async () => {
  const sent = await service.open().post("web", path, { form_token: "x", body: "Call this number" });
  expect(sent.status).toBe(403);
  expect(sent.html).not.toContain("Call this number");
});
