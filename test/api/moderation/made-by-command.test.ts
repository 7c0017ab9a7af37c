import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { commands } from "../../../workers/admin/commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { api } from "../../support/api.ts";
import { createApp, createUser, tokenOf } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";

const actsOn = (target: string) =>
  sql("select act, details from audit_log where target = $1 order by id", [target]);

test("users, apps and tokens that the command line makes are in the log, without any secret", async () => {
  const username = `u${randomBytes(6).toString("hex")}`;
  const password = `secret ${username}`;
  const given = ["--username", username, "--email", `${username}@example.com`, "--password", password];
  await commands["user create"]?.(
    stackTarget(stack),
    readArguments([...given, "--plan", "artist", "--confirmed"]),
  );
  const app = await createApp();
  await tokenOf(app, username);
  expect(await actsOn(username)).toEqual([
    { act: "user.create", details: { plan: "artist", confirmed: true } },
  ]);
  const rows = await actsOn(app.client_id);
  expect(rows).toMatchObject([{ act: "app.create" }, { act: "token.create", details: { user: username } }]);
  expect(JSON.stringify(rows)).not.toContain(app.client_secret);
});

test("a public app made by the command line has no secret, and its tokens are a user's", async () => {
  const owner = await createUser({ plan: "artist" });
  const run = (command: string, ...given: string[]) =>
    commands[command]?.(stackTarget(stack), readArguments([...command.split(" "), ...given]));
  const fields = ["--owner", owner.username, "--name", "Pocket", "--redirect-uri", "http://127.0.0.1/cb"];
  const app = await run("app create", ...fields, "--public");
  expect(app).not.toHaveProperty("client_secret");
  const [stored] = await sql("select secret_hash from apps where client_id = $1", [app?.client_id]);
  expect(stored).toEqual({ secret_hash: null });
  const grant = ["--app", String(app?.client_id)];
  await expect(run("token create", ...grant)).rejects.toThrow("A public app has no token of its own");
  const sessions = "select from sessions s join apps a on a.id = s.app_id where client_id = $1";
  expect(await sql(sessions, [app?.client_id])).toEqual([]);
  for (const option of ["--user", "--username"]) {
    const made = await run("token create", ...grant, option, owner.username);
    expect((await api.as({ token: String(made?.access_token) }).get("/me")).status).toBe(200);
  }
});

test.each([
  [["--name", " "], "--name is missing"],
  [["--name", "a".repeat(101)], "--name "],
  [["--name", "Fine", "--external-url", "javascript:alert(1)"], "--external-url must be an address"],
  [["--name", "Fine", "--redirect-uri", "http://example.com/"], "--redirect-uri http://example.com/"],
])("an app that its own form would refuse is refused: %j", async (args, words) => {
  const given = ["app", "create", "--owner", "nobody", "--redirect-uri", "http://127.0.0.1/cb", ...args];
  await expect(commands["app create"]?.(stackTarget(stack), readArguments(given))).rejects.toThrow(words);
});
