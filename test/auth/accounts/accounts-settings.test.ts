import { expect, test } from "vitest";
import { expectFiveLookedAt } from "../../attacks/guesses.ts";
import { api } from "../../support/api.ts";
import {
  Browser,
  createMember,
  mailsTo,
  mailTo,
  PASSWORD,
  settingsStatus,
  signIn,
  uniqueName,
} from "../../support/browser.ts";
import { createApp, createUser, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";

const PROFILE = {
  username: `Ana Öst ${uniqueName()}`,
  full_name: "Ana Maria Öst",
  city: "Berlin",
  country: "DE",
  description: "First line\r\nsecond <b>line</b>",
  website: "https://example.com/ana?x=1&y=2",
  website_title: "Home",
  discogs_name: "ana-d",
  myspace_name: "ana-m",
};

test("the profile is saved, shown again and returned by the API", async () => {
  const { browser, username } = await createMember();
  const saved = await browser.submit("/settings", "/settings/profile", PROFILE);
  expect([saved.status, saved.headers.location]).toEqual([303, "/settings?notice=profile"]);
  const { html } = await browser.get("/settings?notice=profile");
  expect(html).toContain("Your profile is saved.");
  expect(html).toContain('<option value="DE" selected="">Germany</option>');
  expect(html).toContain("second &lt;b&gt;line&lt;/b&gt;</textarea>");
  expect(html).toContain('value="https://example.com/ana?x=1&amp;y=2"');
  const me = await api.as({ token: await tokenOf(await createApp(), username) }).get("/me");
  expect(me.body).toMatchObject({
    ...PROFILE,
    permalink: username,
    description: "First line\nsecond <b>line</b>",
  });
  await browser.submit("/settings", "/settings/profile", { ...PROFILE, city: "", country: "", website: " " });
  const bare = await api.as({ token: await tokenOf(await createApp(), username) }).get("/me");
  expect(bare.body).toMatchObject({ city: null, country: null, website: null });
});

test.each([
  [{ username: "" }, "Username must not be empty"],
  [{ country: "XX" }, "Country is unknown"],
  [{ website: "javascript:alert(1)" }, "Website must be a complete address"],
  [{ website: "example.com" }, "Website must be a complete address"],
  [{ website: "https://a:b@example.com" }, "Website must be a complete address"],
  [{ description: "x".repeat(4001) }, "About you may have 4000 characters at most"],
  [{ city: "\u0007" }, "City contains characters that are not text"],
])("a profile with %j is shown again with the entered values", async (wrong, words) => {
  const { browser } = await createMember();
  const reply = await browser.submit("/settings", "/settings/profile", { ...PROFILE, ...wrong });
  expect(reply.status).toBe(422);
  expect(reply.html).toContain(words);
  expect(reply.html).toContain('value="Ana Maria Öst"');
});

test("markup in a name stays text on every page that shows it (O35)", async () => {
  const { browser } = await createMember();
  const nasty = `<script>alert(1)</script>"'&`;
  await browser.submit("/settings", "/settings/profile", { ...PROFILE, username: nasty, city: nasty });
  const again = await browser.submit("/settings", "/settings/profile", {
    ...PROFILE,
    username: nasty,
    country: nasty,
  });
  const signUp = await new Browser().submit("/signup", "/signup", {
    username: nasty,
    email: nasty,
    password: "",
  });
  for (const { html } of [await browser.get("/settings"), again, signUp]) {
    expect(html).not.toContain("<script>alert");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  }
});

test("a changed password signs out every other browser and app, but not this browser", async () => {
  const { browser, username, email } = await createMember();
  const elsewhere = new Browser();
  await signIn(elsewhere, email);
  const token = await tokenOf(await createApp(), username);
  const other = await createMember();
  const otherToken = await tokenOf(await createApp(), other.username);
  const fields = { current_password: PASSWORD, new_password: "another horse battery" };
  expect((await browser.submit("/settings", "/settings/password", fields)).status).toBe(303);
  expect(await settingsStatus(browser)).toBe(200);
  expect(await settingsStatus(elsewhere)).toBe(303);
  expect((await api.as({ token }).get("/me")).status).toBe(401);
  expect(await settingsStatus(other.browser)).toBe(200);
  expect((await api.as({ token: otherToken }).get("/me")).status).toBe(200);
  expect((await signIn(new Browser(), email)).status).toBe(422);
  expect((await signIn(new Browser(), email, "another horse battery")).status).toBe(303);
  await mailTo(email, "Your password was changed");
});

test("guesses at the current password count like those at sign-in", async () => {
  const { browser, email } = await createMember();
  const guess = { current_password: "not it", new_password: "another horse battery" };
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => browser.submit("/settings", "/settings/password", guess)),
  );
  const statuses = replies.map(({ status }) => status);
  expectFiveLookedAt(statuses, 422);
  expect((await signIn(browser.neighbour(), email)).status).toBe(429);
  // An error in the form itself is not a guess.
  const weak = await browser.submit("/settings", "/settings/password", { ...guess, new_password: "short" });
  expect(weak.status).toBe(422);
});

test("the confirmation mail is sent again on request, within limits", async () => {
  const { browser, email } = await createMember();
  await mailTo(email, "Confirm");
  for (let times = 0; times < 5; times++) {
    const sent = await browser.submit("/settings", "/settings/confirmation");
    expect(sent.headers.location).toBe("/settings?notice=mail-sent");
  }
  const more = await browser.submit("/settings", "/settings/confirmation");
  expect([more.status, Number(more.headers["retry-after"]) > 3500]).toEqual([429, true]);
  await expect.poll(async () => (await mailsTo(email)).length).toBe(6);
});

test("an app is removed with all its sessions, and no other app", async () => {
  const { browser, id, username } = await createMember();
  const [gone, remaining] = [await createApp(), await createApp()];
  const [one, two, three] = [
    await tokenOf(gone, username),
    await tokenOf(gone, username),
    await tokenOf(remaining, username),
  ];
  await sql("insert into consents (user_id, app_id) values ($1, $2), ($1, $3)", [id, gone.id, remaining.id]);
  const page = await browser.get("/settings");
  expect(page.html.match(/Disconnect/g)).toHaveLength(2);
  // A form for one app cannot remove another.
  const foreign = await browser.submit("/settings", `/settings/apps/${gone.id}/revoke`);
  expect(foreign.headers.location).toBe("/settings?notice=app-removed");
  for (const token of [one, two]) expect((await api.as({ token }).get("/me")).status).toBe(401);
  expect((await api.as({ token: three }).get("/me")).status).toBe(200);
  const consents = await sql("select app_id::float8 as app from consents where user_id = $1", [id]);
  expect(consents).toEqual([{ app: remaining.id }]);
  expect((await browser.get("/settings")).html.match(/Disconnect/g)).toHaveLength(1);
});

test("the export holds the stored data without secrets", async () => {
  const { browser, id, username, email } = await createMember();
  const token = await tokenOf(await createApp(), username);
  const track = await createTrack({ id, username, token, app: await createApp() }, { title: "Exported" });
  const followed = await createUser();
  await api.as({ token }).put(`/me/followings/${followed.id}`);
  const json = { web_profiles: [{ url: "https://a.example" }] };
  await api.as({ token }).put("/me/web-profiles", { json });
  const credited = await createTrack(followed, {});
  const artists = [{ name: "Cy", role: "host", user_id: id }];
  await api.as(followed).put(`/tracks/${credited.id}`, { json: { track: { artists } } });
  const reply = await browser.submit("/settings", "/settings/export");
  expect(reply.headers["content-disposition"]).toBe('attachment; filename="soundpost.json"');
  expect(reply.headers["cache-control"]).toBe("no-store");
  const exportedData = JSON.parse(reply.html);
  expect(exportedData).toMatchObject({ account: { email }, profile: { id, username }, apps: [] });
  expect(exportedData.tracks).toMatchObject([{ id: track.id, title: "Exported" }]);
  expect(exportedData.followings).toMatchObject([{ user_id: followed.id }]);
  expect(exportedData.web_profiles).toMatchObject([{ url: "https://a.example", service: "personal" }]);
  expect(exportedData.credits).toMatchObject([
    { track_id: credited.id, state: "pending", roles: [{ name: "Cy", role: "host" }] },
  ]);
  expect(exportedData.api_sessions).toHaveLength(1);
  expect(exportedData.connected_apps).toHaveLength(1);
  expect(reply.html).not.toMatch(/hash|sealed|secret|password|ss_/);
});

test("each request is one statement, or two around a password hash", async () => {
  const { browser, email } = await createMember();
  const queries = ({ headers }: { headers: Record<string, string> }) =>
    Number(/queries: (\d+)/.exec(headers["server-timing"] ?? "")?.[1] ?? 0);
  const nobody = new Browser();
  const password = { current_password: PASSWORD };
  const counted = {
    settings: queries(await browser.get("/settings")),
    profile: queries(
      await browser.submit("/settings", "/settings/profile", { ...PROFILE, username: uniqueName() }),
    ),
    "bad profile": queries(await browser.submit("/settings", "/settings/profile", { username: "" })),
    password: queries(
      await browser.submit("/settings", "/settings/password", { ...password, new_password: PASSWORD }),
    ),
    "bad password": queries(
      await browser.submit("/settings", "/settings/password", { ...password, new_password: "" }),
    ),
    export: queries(await browser.submit("/settings", "/settings/export")),
    "sign-in page": queries(await nobody.get("/signin")),
    "wrong sign-in": queries(await signIn(nobody, email, "not the password")),
    "sign-in": queries(await signIn(nobody, email)),
    "sign-out": queries(await nobody.submit("/settings", "/signout")),
    "sign-up": queries(
      await new Browser().submit("/signup", "/signup", {
        username: uniqueName(),
        email: `${uniqueName()}@example.com`,
        password: PASSWORD,
      }),
    ),
  };
  expect(counted).toEqual({
    settings: 1,
    profile: 1,
    "bad profile": 1,
    password: 2,
    "bad password": 1,
    export: 1,
    "sign-in page": 0,
    "wrong sign-in": 1,
    "sign-in": 2,
    "sign-out": 1,
    "sign-up": 2,
  });
});
