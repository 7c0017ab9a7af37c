import { beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "../../support/browser.ts";
import { createUser, createUserWithPassword, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
  await createTrack(ana, { title: "Diary", permalink: "diary", sharing: "private" });
});

const pathOf = () => `/${ana.username}/diary`;

/** A browser that is signed in at the site. */
async function signedIn(person = ana) {
  const browser = service.open();
  await browser.signInAt(person.id);
  await browser.follow("web", "/session/new");
  return browser;
}

test("addresses of pages on other hosts that people type at the site lead to the pages", async () => {
  const browser = service.open();
  await browser.signInAt(ana.id);
  for (const path of ["/settings", "/you/apps", "/forgot"]) {
    const shown = await browser.follow("web", path);
    expect([shown.host, shown.path, shown.status]).toEqual(["auth", path, 200]);
  }
  expect(await service.open().follow("web", "/signin")).toMatchObject({ host: "auth", status: 200 });
  expect(await service.open().follow("web", "/docs")).toMatchObject({ host: "api", status: 200 });
  const joining = await service.open().follow("web", "/signup");
  expect([joining.host, joining.path]).toEqual(["auth", expect.stringMatching(/^\/signup\?next=/)]);
});

test("a new member reads of the mail on the page from which they came, once", async () => {
  const { html } = await (await signedIn()).get("web", `${pathOf()}?notice=welcome`);
  expect(html).toContain("Your account is ready");
  expect(html).toContain(`http://auth.localhost:${service.port}/settings#email`);
  expect(html).not.toContain("notice=");
});

describe("signing in", () => {
  test("leads from the site to the accounts' host and back to the page", async () => {
    const browser = service.open();
    const asked = await browser.follow("web", `/session/new?next=${encodeURIComponent(pathOf())}`);
    expect([asked.host, asked.path]).toEqual(["auth", expect.stringMatching(/^\/signin\?next=/)]);
    await browser.signInAt(ana.id);
    const next = new URLSearchParams(asked.path.split("?")[1]).get("next") ?? "";
    const back = await browser.follow("auth", next);
    expect([back.host, back.path, back.status]).toEqual(["web", pathOf(), 200]);
    expect(back.html).toContain("Diary");
    expect(back.html).toContain("Sign out");
  });

  test("is not needed twice: who is signed in there comes back at once", async () => {
    const browser = service.open();
    await browser.signInAt(ana.id);
    expect(await browser.follow("web", "/session/new?next=/discover")).toMatchObject({
      host: "web",
      path: "/discover",
    });
  });

  test("begins anew when the one at the accounts' host has expired", async () => {
    const browser = service.open();
    const { id } = await createUser();
    await browser.signInAt(id);
    await sql("update site_sessions set expires_at = now() where user_id = $1", [id]);
    const { host, path } = await browser.follow("web", "/session/new");
    expect([host, path.split("?")[0]]).toEqual(["auth", "/signin"]);
  });

  test("leads to no other host", async () => {
    const browser = service.open();
    await browser.signInAt(ana.id);
    const back = await browser.follow("web", "/session/new?next=//evil.example/x");
    expect([back.host, back.path]).toEqual(["web", "/"]);
  });

  test("works in several tabs at once, as when a browser restores them", async () => {
    const browser = service.open();
    await browser.signInAt(ana.id);
    const pages = ["/you/library", "/you/history", "/discover"];
    const begun = await Promise.all(
      pages.map((next) => browser.get("web", `/session/new?${new URLSearchParams({ next })}`)),
    );
    for (const [at, { location }] of begun.entries())
      expect(await browser.follow("auth", `${location?.pathname}${location?.search}`)).toMatchObject({
        status: 200,
        path: pages[at],
      });
  });

  test("that is left again and again does not fill the browser's requests", async () => {
    const browser = service.open();
    for (let n = 0; n < 12; n++) await browser.get("web", "/session/new");
    expect(browser.jars.web.size).toBe(8);
    await browser.signInAt(ana.id);
    expect(await browser.follow("web", "/session/new?next=/discover")).toMatchObject({ path: "/discover" });
  });

  test("from an address that no cookie holds leads to the home page", async () => {
    const browser = service.open();
    await browser.signInAt(ana.id);
    const back = await browser.follow("web", `/session/new?next=/search?q=${"x".repeat(4_000)}`);
    expect(back).toMatchObject({ status: 200, path: "/" });
    const [cookie = ""] = browser.jars.web.values();
    expect(cookie.length).toBeLessThan(4_000);
  });

  test("is refused for a code that another browser began, which spends it, and for a used one", async () => {
    const [attacker, victim] = [service.open(), service.open()];
    await attacker.signInAt(ana.id);
    const offer = async () => {
      const began = await attacker.get("web", "/session/new");
      const offered = await attacker.get("auth", `${began.location?.pathname}${began.location?.search}`);
      return `${offered.location?.pathname}${offered.location?.search}`;
    };
    await victim.get("web", "/session/new");
    const leaked = await offer();
    const refused = await victim.get("web", leaked);
    expect([refused.status, refused.html.includes('/session/new">Sign in</a>')]).toEqual([403, true]);
    expect((await attacker.get("web", leaked)).status).toBe(403);
    const opened = await offer();
    const cookies = [...attacker.jars.web];
    expect((await attacker.get("web", opened)).status).toBe(303);
    expect((await attacker.get("web", opened)).status).toBe(403);
    // The code itself is used up, whoever kept the cookies.
    for (const [name, value] of cookies) attacker.jars.web.set(name, value);
    expect((await attacker.get("web", opened)).status).toBe(403);
  });

  test("is refused for another browser's code beside one's own state (RFC 7636)", async () => {
    const [victim, thief] = [service.open(), service.open()];
    await victim.signInAt(ana.id);
    const began = await victim.get("web", "/session/new");
    const offered = await victim.get("auth", `${began.location?.pathname}${began.location?.search}`);
    const code = offered.location?.searchParams.get("code") ?? "";
    const state = (await thief.get("web", "/session/new")).location?.searchParams.get("state") ?? "";
    const stolen = await thief.get("web", `/session/opened?${new URLSearchParams({ state, code })}`);
    expect([stolen.status, (await thief.get("web", pathOf())).status]).toEqual([403, 404]);
    const spent = await victim.get("web", `${offered.location?.pathname}${offered.location?.search}`);
    expect([spent.status, (await victim.get("web", pathOf())).status]).toEqual([403, 404]);
  });
});

test("an owner sees their private track on the site, others get 404 as visitors do", async () => {
  const [owner, stranger] = [await signedIn(), await signedIn(await createUser())];
  expect((await owner.get("web", pathOf())).status).toBe(200);
  expect((await stranger.get("web", pathOf())).status).toBe(404);
  expect((await service.open().get("web", pathOf())).status).toBe(404);
});

test("a profile lists the owner's private tracks to the owner alone", async () => {
  const owner = await signedIn();
  expect((await owner.get("web", `/${ana.username}`)).html).toContain("Diary");
  expect((await service.open().get("web", `/${ana.username}`)).html).not.toContain("Diary");
});

describe("the session ends", () => {
  test("on both hosts by signing out at the site", async () => {
    const browser = await signedIn();
    const { html } = await browser.get("web", pathOf());
    const form = { form_token: tokenIn(html, "/session/end") };
    expect((await browser.post("web", "/session/end", form)).status).toBe(303);
    expect((await browser.get("web", pathOf())).status).toBe(404);
    expect((await browser.get("auth", "/settings")).location?.pathname).toBe("/signin");
  });

  test("on both hosts by signing out at the accounts' host, whatever cookie is left", async () => {
    const browser = await signedIn();
    const { html } = await browser.get("auth", "/settings");
    await browser.post("auth", "/signout", { form_token: tokenIn(html, "/signout") });
    const page = await browser.get("web", pathOf());
    expect(page.status).toBe(404);
    expect(page.html).toContain("/session/new");
    expect(browser.jars.web.size).toBe(0);
  });

  test("and a form that is sent then says so, without a redirect that the page's policy forbids", async () => {
    const browser = await signedIn();
    const accounts = await browser.get("auth", "/settings");
    const { html } = await browser.get("web", pathOf());
    await browser.post("auth", "/signout", { form_token: tokenIn(accounts.html, "/signout") });
    const [act = ""] = /\/you\/acts\/like-track\/\d+/.exec(html) ?? [];
    const sent = await browser.post("web", act, { form_token: tokenIn(html, act), next: "/discover" });
    expect([sent.status, sent.location]).toEqual([401, undefined]);
    expect(sent.html).toContain('href="/session/new?next=%2Fdiscover" data-turbo="false"');
  });

  test("not by a form of another page", async () => {
    const browser = await signedIn();
    expect((await browser.post("web", "/session/end", { form_token: "x" })).status).toBe(403);
    expect((await browser.get("web", pathOf())).status).toBe(200);
  });
});

test("a new password leads through the site, where a new session begins, back to the settings", async () => {
  const browser = await signedIn(await createUserWithPassword());
  const { html, headers } = await browser.get("auth", "/settings");
  const changed = await browser.post("auth", "/settings/password", {
    form_token: tokenIn(html, "/settings/password"),
    current_password: PASSWORD,
    new_password: "another horse battery",
  });
  const next = changed.location;
  expect([changed.status, next?.hostname, next?.pathname]).toEqual([303, "web.localhost", "/session/new"]);
  expect(headers["content-security-policy"]).toContain(`form-action 'self' ${next?.origin}`);
  const settings = await browser.follow("web", `/session/new${next?.search}`);
  expect([settings.host, settings.status]).toEqual(["auth", 200]);
  expect(settings.html).toContain("Your password is changed");
  expect((await browser.get("web", "/you/tracks")).status).toBe(200);
});

test("its cookie opens neither the API nor the accounts", async () => {
  const browser = await signedIn();
  for (const [name, value] of browser.jars.web) {
    browser.jars.api.set(name, value);
    browser.jars.auth.clear();
    browser.jars.auth.set(name, value);
  }
  expect((await browser.get("api", "/me")).status).toBe(401);
  expect((await browser.get("auth", "/settings")).location?.pathname).toBe("/signin");
});

test("its client id opens nothing by itself", async () => {
  const browser = service.open();
  expect((await browser.get("api", "/tracks?client_id=site")).status).toBe(401);
  expect((await browser.get("auth", "/authorize?client_id=site&response_type=code")).status).toBe(400);
});

describe("the script token", () => {
  test("opens the API as the reader, and ends with the session", async () => {
    const browser = await signedIn();
    const { access_token } = JSON.parse((await browser.get("web", "/session/token")).html);
    const me = () => service.ask("api", "/me", { headers: { Authorization: `OAuth ${access_token}` } });
    expect((await me()).status).toBe(200);
    const { html } = await browser.get("web", pathOf());
    await browser.post("web", "/session/end", { form_token: tokenIn(html, "/session/end") });
    expect((await me()).status).toBe(401);
  });

  test.each(["cross-site", "same-site"])("is refused to a %s page", async (site) => {
    const browser = await signedIn();
    const Cookie = Array.from(browser.jars.web, (pair) => pair.join("=")).join("; ");
    const askedFrom = async (asking: string) =>
      (await service.ask("web", "/session/token", { headers: { Cookie, "Sec-Fetch-Site": asking } })).status;
    expect([await askedFrom("same-origin"), await askedFrom(site)]).toEqual([200, 401]);
  });

  test("is refused to visitors", async () => {
    expect((await service.open().get("web", "/session/token")).status).toBe(401);
  });
});

test("small forms act as the reader and lead back, with the token of their page", async () => {
  const [owner, fan] = [await createUser(), await createUser()];
  const track = await createTrack(owner, { title: "Liked", permalink: "liked" });
  const browser = await signedIn(fan);
  const page = await browser.get("web", `/${owner.username}/liked`);
  const act = (token: string) =>
    browser.post("web", `/you/acts/like-track/${track.id}`, { form_token: token, next: "/discover" });
  expect((await act("x")).status).toBe(403);
  const reply = await act(tokenIn(page.html, `/you/acts/like-track/${track.id}`));
  expect([reply.status, reply.location?.pathname]).toEqual([303, "/discover"]);
  const form = { form_token: tokenIn(page.html, `/you/acts/like-track/${track.id}`) };
  for (const named of ["1.xml", "..", "../../tracks"])
    expect((await browser.post("web", "/you/acts/remove-from-set/5", { ...form, track: named })).status).toBe(
      404,
    );
  const likes = await sql("select from favorites where user_id = $1 and track_id = $2", [fan.id, track.id]);
  expect(likes).toHaveLength(1);
});
