import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { fieldsIn, startThreeHosts } from "./three-hosts.ts";

describe("an instance with a name of its own", () => {
  let named: Awaited<ReturnType<typeof startThreeHosts>>;
  beforeAll(async () => {
    named = await startThreeHosts({ SITE_NAME: "Harbour <Radio>", SITE_WORDS: "Sound of the coast" });
  });
  afterAll(() => named.stop());

  test("carries it, and its words", async () => {
    const { html } = await named.open().get("web", "/");
    expect(html).toContain("<title>Sound of the coast · Harbour &lt;Radio&gt;</title>");
    expect(html).toContain("Harbour &lt;Radio&gt; runs on Soundpost");
    expect((await named.open().get("auth", "/signin")).html).toContain("· Harbour &lt;Radio&gt;</title>");
  });

  test("lets no user or app take it, but keep it if they have it", async () => {
    const holder = await createUser();
    const wanted = `Harbour Radio ${holder.id}`;
    await sql("update users set plan = 'artist' where id = $1", [holder.id]);
    const browser = await named.enter(holder);
    const answer = async (page: string, action: string, fields: Record<string, string>) => {
      const { html } = await browser.get("auth", page);
      return browser.post("auth", action, { ...fieldsIn(html, action), ...fields });
    };
    const submit = async (...form: Parameters<typeof answer>) => (await answer(...form)).status;
    const [, token] = /id="token">([^<]+)/.exec((await answer("/you/token", "/you/token", {})).html) ?? [];
    const send = async (method: string, path: string, json: object) => {
      const headers = { Authorization: `OAuth ${token}`, "Content-Type": "application/json" };
      return (await named.ask("api", path, { method, headers, body: JSON.stringify(json) })).status;
    };
    const app = { name: wanted, redirect_uris: "https://a.example/cb" };
    const rename = () => send("PUT", "/me", { user: { username: wanted } });
    const visitor = named.open();
    const { html } = await visitor.get("auth", "/signup");
    const account = { username: wanted, email: `${holder.id}@example.com`, password: "a few quiet words" };
    const signedUp = await visitor.post("auth", "/signup", { ...fieldsIn(html, "/signup"), ...account });
    expect([signedUp.status, signedUp.html.includes("Username is reserved")]).toEqual([422, true]);
    expect(await submit("/you/apps", "/you/apps", app)).toBe(422);
    expect(await submit("/settings", "/settings/profile", { username: wanted })).toBe(422);
    expect(await send("POST", "/me/apps", { ...app, redirect_uris: [app.redirect_uris] })).toBe(422);
    expect(await rename()).toBe(422);
    await sql("update users set username = $1 where id = $2", [wanted, holder.id]);
    expect(await submit("/settings", "/settings/profile", { city: "Hamburg" })).toBe(303);
    expect(await rename()).toBe(200);
    expect(await submit("/you/apps", "/you/apps", { ...app, name: "Plain" })).toBe(200);
    const [made] = await sql<{ id: number }>(
      "update apps set name = $1 where owner_id = $2 and name = 'Plain' returning id::float8 as id",
      [wanted, holder.id],
    );
    const edit = `/you/apps/${made?.id}`;
    expect(await submit("/you/apps", edit, { external_url: "https://a.example" })).toBe(303);
    expect(await submit("/you/apps", edit, { name: `${wanted} Login` })).toBe(422);
  });
});
