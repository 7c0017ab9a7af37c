import sharp from "sharp";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { Browser, createMember, hiddenFields } from "../../support/browser.ts";
import { createForm, createJpeg, createPng, SVG } from "../../support/images.ts";
import { createApp, tokenOf } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";

const shownIn = (html: string) => /<div class="picture"><img src="([^"]+)"/.exec(html)?.[1] ?? "";

/** Their initials stand in its place. */
const showsInitials = (html: string, username: string) =>
  new RegExp(`<div class="picture"><svg.*?>${username.slice(0, 1).toUpperCase()}</text></svg>`).test(html);

test("a picture is chosen, displayed, returned by the API and removed without scripts", async () => {
  const { browser, username } = await createMember();
  const as = api.as({ token: await tokenOf(await createApp(), username) });
  expect(showsInitials((await browser.get("/settings")).html, username)).toBe(true);

  const saved = await browser.upload("/settings", "/settings/picture", "picture", await createJpeg());
  expect([saved.status, saved.headers.location]).toEqual([303, "/settings?notice=picture"]);
  const { html } = await browser.get("/settings?notice=picture");
  expect(html).toContain("Your picture is saved.");
  const shown = await fetch(shownIn(html));
  expect((await sharp(await shown.arrayBuffer()).metadata()).width).toBe(300);
  const { avatar_url } = (await as.get<{ avatar_url: string }>("/me")).body;
  expect(avatar_url).toBe(shownIn(html).replace("t300x300", "large"));

  const removed = await browser.submit("/settings", "/settings/picture/remove");
  expect([removed.status, removed.headers.location]).toEqual([303, "/settings?notice=picture-removed"]);
  const bare = (await browser.get("/settings")).html;
  expect(showsInitials(bare, username)).toBe(true);
  expect(bare).not.toContain("Remove picture");
});

test.each([
  ["nothing chosen", () => undefined, "New picture has to be chosen first"],
  ["SVG", () => SVG, "New picture is not a JPEG, PNG or GIF image"],
  ...[12, 40].map((megabytes): [string, () => Promise<Buffer>, string] => [
    `a photo of ${megabytes} MB`,
    async () => Buffer.concat([await createJpeg(), Buffer.alloc(megabytes * 2 ** 20)]),
    "New picture may have 10 MB at most",
  ]),
  ["a panorama that is too wide", () => createPng(10_001, 3), "New picture is 10001 by 3 pixels"],
  ["half a picture", async () => (await createPng()).subarray(0, 60), "New picture cannot be read"],
])("the page explains what is wrong with %s (X48)", async (_what, picture, words) => {
  const { browser, username } = await createMember();
  const reply = await browser.upload("/settings", "/settings/picture", "picture", await picture());
  expect(reply.status).toBe(422);
  expect(reply.html).toContain(words);
  expect(reply.html).toContain('aria-invalid="true"');
  expect(showsInitials(reply.html, username)).toBe(true);
});

test("a picture is accepted from our own form only, and only from the user it was shown to", async () => {
  const [{ browser, username }, other] = [await createMember(), await createMember()];
  const picture = await createJpeg();
  const { html } = await browser.get("/settings");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const send = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${stack.urls.api}/settings/picture`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: cookie, Accept: "text/html", ...headers },
      body: createForm({ form_token: token, picture }).raw,
    });
  const own = hiddenFields(html, "/settings/picture").form_token ?? "";
  const foreign = hiddenFields((await other.browser.get("/settings")).html, "/settings/picture").form_token;
  const elsewhere = hiddenFields(html, "/settings/profile").form_token;
  for (const token of ["", "x", foreign ?? "", elsewhere ?? ""]) expect((await send(token)).status).toBe(403);
  expect((await send(own, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await send(own, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect(showsInitials((await browser.get("/settings")).html, username)).toBe(true);
  expect((await send(own)).status).toBe(303);
});

test("a user who signed out meanwhile is sent to sign in", async () => {
  const { browser } = await createMember();
  const leaving = new Browser(browser.address);
  for (const [name, value] of browser.cookies) leaving.cookies.set(name, value);
  const { html } = await browser.get("/settings");
  await leaving.submit("/settings", "/signout");
  const form = createForm({ ...hiddenFields(html, "/settings/picture"), picture: await createJpeg() }).raw;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const reply = await fetch(`${stack.urls.api}/settings/picture`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie },
    body: form,
  });
  expect([reply.status, reply.headers.get("Location")]).toEqual([303, expect.stringContaining("/signin")]);
});
