import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { Browser, PASSWORD, uniqueName } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { createApp, createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

const signUp = (username: string) =>
  new Browser().submit("/signup", "/signup", {
    username,
    email: `${uniqueName()}@example.com`,
    password: PASSWORD,
  });

test("422: nobody may take a name that reads as another's id or e-mail address", async () => {
  const ana = await createUser();
  const id = String(ana.id);
  for (const name of [id, `${id} 🎸`, id.replace(/(?=...$)/, "-")]) {
    const refused = await signUp(name);
    expect([name, refused.status]).toEqual([name, 422]);
    expect(refused.html).toContain("Username must not be a number like an id");
  }
  const address = await signUp(`${ana.username}@example.com`);
  expect(address.status).toBe(422);
  expect(address.html).toContain("Username must not be an e-mail address");
  const renamed = await api.as(await createUser()).put("/me", { json: { user: { username: id } } });
  expect(renamed.status).toBe(422);
  const made = ["--email", `${uniqueName()}@example.com`, "--password", PASSWORD];
  await expect(operate("user create", "--username", id, ...made)).rejects.toThrow("like an id");
});

test("a profile's address is no id, whatever digits its name is written in", async () => {
  const digits = String(Date.now());
  const name = digits.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
  expect((await signUp(name)).status).toBe(303);
  const [row] = await sql<{ permalink: string }>("select permalink from users where username = $1", [name]);
  expect(row?.permalink).toMatch(new RegExp(`^${digits}-[a-z0-9]{7}$`));
});

test("a short number is a name", async () => {
  const band = String(Math.floor(1e6 + Math.random() * 9e8));
  expect((await signUp(band)).status).toBe(303);
  expect(await operate("user show", "--user", band)).toMatchObject({ username: band });
});

test("an operator acts on nobody where an id or an address is also another's name, until --username says whose", async () => {
  const [ana, eve] = [await createUser(), await createUser()];
  // Names from before they were refused.
  const named = (name: string) =>
    sql("update users set username = $2, username_key = $2, permalink = $3 where id = $1", [
      eve.id,
      name,
      name.replace(/\W/g, "-"),
    ]);
  const by = (option: string, who: string) => ["user set-plan", option, who, "--plan", "artist"] as const;
  for (const name of [String(ana.id), `${ana.username}@example.com`]) {
    await named(name);
    await expect(operate(...by("--user", name))).rejects.toThrow("say which by --username");
    expect(await operate(...by("--username", name))).toMatchObject({ id: eve.id });
    expect(await operate(...by("--username", ana.username))).toMatchObject({ id: ana.id });
    const { acts } = await operate<{ acts: unknown[] }>("audit list", "--username", name, "--limit", "1");
    expect(acts).toMatchObject([{ target_id: eve.id }]);
  }
});

test("a command that names a user takes an id, where both names of the user are also others'", async () => {
  const [ana, eve] = [await createUser({ plan: "artist" }), await createUser({ plan: "artist" })];
  const rename = (person: typeof ana, username: string) =>
    sql("update users set username = $2, username_key = lower($2) where id = $1", [person.id, username]);
  await rename(ana, uniqueName());
  await rename(eve, ana.username);
  await rename(ana, eve.username);
  const app = await createApp();
  const commands: [command: string, ...args: string[]][] = [
    ["operator add", "--username"],
    ["operator reset", "--username"],
    ["operator remove", "--username"],
    ["app create", "--name", "App", "--redirect-uri", "https://app.example/callback", "--owner"],
    ["token create", "--app", app.client_id, "--user"],
  ];
  for (const command of commands) {
    for (const name of [ana.username, eve.username])
      await expect(operate(...command, name)).rejects.toThrow("Say which by the id: see user find");
    await operate(...command, String(ana.id));
  }
  const { acts } = await operate<{ acts: { act: string }[] }>("audit list", "--user", String(ana.id));
  expect(acts.map(({ act }) => act)).toEqual(["operator.remove", "operator.reset", "operator.add"]);
});

test("nor where a username is another's permalink, since that one has renamed", async () => {
  const [ana, eve] = [await createUser({ plan: "artist" }), await createUser({ plan: "artist" })];
  const rename = (person: typeof ana, username: string) =>
    api.as(person).put("/me", { json: { user: { username } } });
  const now = uniqueName();
  expect((await rename(ana, now)).status).toBe(200);
  expect((await rename(eve, ana.username)).status).toBe(200);
  for (const option of ["--user", "--username"])
    await expect(operate("user sign-out", option, ana.username)).rejects.toThrow(`or by the id`);
  expect(await operate("user show", "--user", String(eve.id))).toMatchObject({ id: eve.id });
  expect(await operate("user show", "--username", now)).toMatchObject({ id: ana.id });
  expect(await operate("user show", "--username", eve.username)).toMatchObject({ id: eve.id });
  const app = ["--name", "App", "--redirect-uri", "https://app.example/callback"];
  await expect(operate("app create", "--owner", ana.username, ...app)).rejects.toThrow("means two");
  expect(await operate("app create", "--owner", now, ...app)).toMatchObject({ name: "App" });
});
