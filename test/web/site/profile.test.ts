import { describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();

async function send(
  browser: ThreeHostsBrowser,
  page: string,
  path: string,
  fields: Record<string, string> = {},
) {
  const { html } = await browser.get("web", page);
  return browser.post("web", path, { form_token: tokenIn(html, path), ...fields });
}

describe.each(["/you/links", "/you/connections"])("%s", (path) => {
  test("is one statement, and leads visitors and ended sessions to the sign-in", async () => {
    const person = await createUser();
    const browser = await service.enter(person);
    const { status, queries } = await browser.get("web", path);
    expect([status, queries]).toEqual([200, 1]);
    await sql("update sessions set revoked_at = now() where user_id = $1", [person.id]);
    for (const who of [browser, service.open()])
      expect((await who.get("web", path)).location?.pathname).toBe("/session/new");
  });
});

test("links of the profile are saved, kept in order and removed", async () => {
  const ana = await createUser();
  const browser = await service.enter(ana);
  const rows = { url_0: "https://ana.example", title_0: "Mine <3", url_2: "https://youtube.com/@ana" };
  expect((await send(browser, "/you/links", "/you/links", rows)).location?.search).toBe("?notice=saved");
  const saved = async () => {
    const { body } = await api
      .as(ana)
      .get<{ url: string; title: string | null; service: string }[]>("/me/web-profiles");
    return body.map(({ url, title, service }) => [url, title, service]);
  };
  expect(await saved()).toEqual([
    ["https://ana.example", "Mine <3", "personal"],
    ["https://youtube.com/@ana", null, "youtube"],
  ]);
  expect((await browser.get("web", "/you/links")).html).toContain('value="Mine &lt;3"');
  await send(browser, "/you/links", "/you/links", { url_1: "https://youtube.com/@ana" });
  expect(await saved()).toEqual([["https://youtube.com/@ana", null, "youtube"]]);
});

test("a wrong link's problem stands beside it, and nothing is saved", async () => {
  const browser = await service.enter(await createUser());
  const rows = { url_0: "https://ana.example", url_2: "javascript:alert(1)" };
  const { status, html } = await send(browser, "/you/links", "/you/links", rows);
  expect(status).toBe(422);
  expect(html).toMatch(/id="links-url_2-problem"[\s\S]*must be a complete address/);
  expect(html).toContain('value="https://ana.example"');
  expect((await browser.get("web", "/you/links")).html).not.toContain("ana.example");
  const twice = { url_0: "https://ana.example", url_2: "https://ana.example" };
  expect((await send(browser, "/you/links", "/you/links", twice)).html).toMatch(
    /id="links-url_2-problem"[\s\S]*Address 3 must not repeat another address/,
  );
});

test("a connection is changed and removed by its owner alone", async () => {
  const [ana, bea] = [await createUser(), await createUser()];
  const [made] = await sql<{ id: number }>(
    `insert into connections (user_id, service, external_id, display_name, tokens_sealed, post_publish, post_favorite)
     values ($1, 'mastodon', 'x', 'Ana <i>', '', false, false) returning id::float8 as id`,
    [ana.id],
  );
  const browser = await service.enter(ana);
  expect((await browser.get("web", "/you/connections")).html).toContain("Ana &lt;i&gt;");
  const path = `/you/connections/${made?.id}`;
  await send(browser, "/you/connections", path, { post_publish: "on" });
  expect(await sql("select post_publish, post_favorite from connections where id = $1", [made?.id])).toEqual([
    { post_publish: true, post_favorite: false },
  ]);
  const stranger = await service.enter(bea);
  expect((await stranger.get("web", "/you/connections")).html).not.toContain("Ana");
  expect((await stranger.post("web", `${path}/delete`, { form_token: "x" })).status).toBe(403);
  expect((await send(browser, "/you/connections", `${path}/delete`)).status).toBe(303);
  expect((await browser.get("web", "/you/connections")).html).toContain("You have no connection");
});
