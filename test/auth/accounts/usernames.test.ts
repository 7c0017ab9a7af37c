import pg from "pg";
import { expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { User } from "../../../functions/api/users/representation.ts";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { commands } from "../../../workers/admin/commands.ts";
import { moderationCommands } from "../../../workers/admin/moderation-commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { Browser, createMember, PASSWORD, signIn, uniqueName } from "../../support/browser.ts";
import { createApp, createUser, createUserWithPassword, tokenOf } from "../../support/people.ts";
import { changeTable, sql, stack } from "../../support/stack.ts";
import { createReadyUpload, words } from "../../support/tracks.ts";

const signUp = (username: string, browser = new Browser()) =>
  browser.submit("/signup", "/signup", {
    username,
    email: `${uniqueName()}@example.com`,
    password: PASSWORD,
  });

const permalinkOf = async (username: string) =>
  (await sql<{ permalink: string }>("select permalink from users where username = $1", [username]))[0]
    ?.permalink;

/** Cyrillic letters that look like Latin ones. */
const inDisguise = (name: string) => name.replaceAll("a", "а").replaceAll("c", "с").replaceAll("e", "е");

/** Letters only, so that every disguise replaces something. */
const uniqueWord = () => `ace${uniqueName().replace(/\d/g, (digit) => "ghjkpqrtvx"[Number(digit)] ?? "")}`;

test("a name that looks like another's is taken at sign-up, in any script", async () => {
  const word = uniqueWord();
  expect((await signUp(word)).status).toBe(303);
  for (const name of [
    inDisguise(word),
    word.toUpperCase(),
    `${word} ✓`,
    `${word} ✔️`,
    word.replace("ace", "áçé"),
    `${word}.`,
  ]) {
    const refused = await signUp(name);
    expect([name, refused.status]).toEqual([name, 422]);
    expect(refused.html).toContain("Username is taken, or looks like one that is");
  }
});

test.each([
  "ana\u00adb",
  "ana\u200bb",
  "ana\u{e0061}b",
  "Soundpost",
  "Sоundpоst Berlin",
  "Moderator",
  "аdmin",
])("%j is no valid username at sign-up, in the settings or over the API", async (name) => {
  expect((await signUp(name)).status).toBe(422);
  const { browser, username } = await createMember();
  const renamed = await browser.submit("/settings", "/settings/profile", { username: name });
  expect(renamed.status).toBe(422);
  const token = await tokenOf(await createApp(), username);
  const put = await api.as({ token }).put<ErrorReply>("/me", { json: { user: { username: name } } });
  expect(put.status).toBe(422);
  expect(put.body.errors[0]?.error_message).toMatch(
    /^user\[username\]: (is reserved|contains invisible characters)$/,
  );
});

test("exactly one of several parallel sign-ups with look-alike names succeeds", async () => {
  const word = uniqueWord();
  const replies = await Promise.all([word, inDisguise(word), `${word}!`].map((name) => signUp(name)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
  for (const { status, html } of replies)
    if (status === 422) expect(html).toContain("Username is taken, or looks like one that is");
});

test("exactly one of several parallel renames to look-alike names succeeds; the other changes nothing", async () => {
  const [ana, eve] = [await createUser(), await createUser()];
  const word = uniqueWord();
  const replies = await Promise.all([
    api.as(ana).put<ErrorReply>("/me", { json: { user: { username: word, website_title: "Mine" } } }),
    api
      .as(eve)
      .put<ErrorReply>("/me", { json: { user: { username: inDisguise(word), website_title: "Mine" } } }),
  ]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  const refused = replies[0].status === 422 ? ana : eve;
  const [reply] = replies.filter(({ status }) => status === 422);
  expect(reply?.body.errors).toEqual([
    expect.objectContaining({
      error_message: "user[username]: is taken, or looks like one that is; choose another",
      field: "user[username]",
    }),
  ]);
  const { body } = await api.as(refused).get<User>("/me");
  expect([body.username, body.website_title]).toEqual([refused.username, null]);
});

test("a rename to a look-alike name shows the settings again with the entered values", async () => {
  const word = uniqueWord();
  await signUp(word);
  const { browser } = await createMember();
  const fields = { username: inDisguise(word), full_name: "Eve Öst" };
  const refused = await browser.submit("/settings", "/settings/profile", fields);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("Username is taken, or looks like one that is");
  expect(refused.html).toContain('value="Eve Öst"');
});

test("a rename may take longer than other statements: it changes the search of all the user's tracks", async () => {
  const [member, person] = [await createMember(), await createUser()];
  const names = [`${member.username}x`, `${person.username}x`] as const;
  await changeTable(
    `create function renamed_slowly() returns trigger language plpgsql as 'begin perform pg_sleep(5.5); return new; end';
     create trigger renamed_slowly before update of username on users for each row
     when (old.id in (${member.id}, ${person.id}) and old.username <> new.username) execute function renamed_slowly()`,
  );
  try {
    const [inSettings, byApi] = await Promise.all([
      member.browser.submit("/settings", "/settings/profile", { username: names[0] }),
      api.as(person).put<User>("/me", { json: { user: { username: names[1] } } }),
    ]);
    expect([inSettings.status, byApi.status, byApi.body.username]).toEqual([303, 200, names[1]]);
    expect(await permalinkOf(names[0])).toBe(member.username);
  } finally {
    await changeTable("drop trigger renamed_slowly on users; drop function renamed_slowly()");
  }
});

test("users may respell their own name, and free it for others", async () => {
  const word = uniqueWord();
  const ana = await createUserWithPassword();
  const rename = (username: string) => api.as(ana).put("/me", { json: { user: { username } } });
  for (const name of [word, word.toUpperCase(), `${word} ✓`, uniqueWord()])
    expect((await rename(name)).status).toBe(200);
  expect((await signUp(word)).status).toBe(303);
});

test("a username may use any script, and its permalink is romanized", async () => {
  const word = uniqueWord().replaceAll(
    /[a-z]/g,
    (letter) => "абвгдежзиклмнопрстуфхцчшщэюя"[letter.charCodeAt(0) - 97] ?? "ж",
  );
  const browser = new Browser();
  expect((await signUp(word, browser)).status).toBe(303);
  expect((await browser.get("/settings")).html).toContain(`<h1>${word}</h1>`);
  const permalink = await permalinkOf(word);
  expect(permalink).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  const page = await browser.get(`/${permalink}`);
  expect([page.status, page.html.includes(word)]).toEqual([200, true]);
});

test("names with the same romanization get different permalinks, and one of emoji gets `user`", async () => {
  const tail = uniqueWord();
  const names = [`李${tail}`, `丽${tail}`, `力${tail}`];
  for (const name of names) expect((await signUp(name)).status).toBe(303);
  const [first, ...others] = await Promise.all(names.map(permalinkOf));
  expect(first).toBe(`li-${tail}`);
  for (const permalink of others) expect(permalink).toMatch(new RegExp(`^li-${tail}-[a-z0-9]{7}$`));
  const emoji = Array.from({ length: 6 }, () =>
    String.fromCodePoint(0x1f400 + Math.floor(Math.random() * 60)),
  ).join("");
  expect((await signUp(emoji)).status).toBe(303);
  expect(await permalinkOf(emoji)).toMatch(/^user-[a-z0-9]{7}$/);
});

const run = (command: string, ...args: string[]) =>
  ({ ...commands, ...moderationCommands })[command]?.(stackTarget(stack), readArguments(args));

const create = (name: string, email = `${uniqueName()}@example.com`) =>
  run("user create", "--username", name, "--email", email, "--password", PASSWORD);

test("a user with a reserved name from operators keeps it through other changes, and cannot choose another", async () => {
  const [username, email] = [`Soundpost ${uniqueWord()}`, `${uniqueName()}@example.com`];
  await create(username, email);
  const browser = new Browser();
  await signIn(browser, email);
  const save = (name: string) =>
    browser.submit("/settings", "/settings/profile", { username: name, city: "Oslo" });
  expect((await save(username)).status).toBe(303);
  const further = `Soundpost ${uniqueWord()}`;
  expect((await save(further)).html).toContain("Username is reserved");
  const ana = api.as({ token: await tokenOf(await createApp(), username) });
  const put = (name: string) =>
    ana.put<User & ErrorReply>("/me", { json: { user: { username: name, website_title: "Staff" } } });
  const { status, body } = await put(username);
  expect([status, body.city, body.website_title]).toEqual([200, "Oslo", "Staff"]);
  expect((await put(further)).body.errors[0]?.error_message).toBe("user[username]: is reserved");
});

test("a user whose name looks like another's by a newer rule keeps it through other changes", async () => {
  const word = uniqueWord();
  expect((await signUp(word)).status).toBe(303);
  const { browser, username } = await createMember();
  const badge = `${word} ✔️`;
  await sql("update users set username = $1 where username = $2", [badge, username]);
  const save = (name: string) =>
    browser.submit("/settings", "/settings/profile", { username: name, city: "Oslo" });
  expect((await save(badge)).status).toBe(303);
  const ana = api.as({ token: await tokenOf(await createApp(), username) });
  const put = (name: string) => ana.put<User>("/me", { json: { user: { username: name } } });
  expect((await put(badge)).body.city).toBe("Oslo");
  expect([(await save(`${badge} `)).status, (await put(`${word} ✓`)).status]).toEqual([303, 422]);
  // Operators who copy the name do not mean the other user.
  await expect(run("user show", "--user", badge)).rejects.toThrow("say which by");
  await expect(
    run("token create", "--app", await createApp().then((app) => app.client_id), "--user", badge),
  ).rejects.toThrow("the name means two");
});

test("operators create and rename users in any script, and are warned of look-alikes", async () => {
  const username = `李 ${uniqueWord()}`;
  const made = await create(username);
  expect(await run("user set-plan", "--username", username.toUpperCase(), "--plan", "artist")).toMatchObject({
    id: made?.id,
    plan: "artist",
  });
  const app = await run(
    "app create",
    "--owner",
    username,
    "--name",
    "歌",
    "--redirect-uri",
    "http://127.0.0.1/cb",
  );
  const token = await run("token create", "--app", String(app?.client_id), "--user", username);
  const { body } = await api.as({ token: String(token?.access_token) }).get<User>("/me");
  expect([body.id, body.username]).toEqual([made?.id, username]);
  await expect(create(inDisguise(username))).rejects.toThrow("looks like one that is");
});

test("tracks and playlists in any script get romanized permalinks", async () => {
  const ana = await createUser();
  const upload = await createReadyUpload(ana, words());
  const track = await api
    .as(ana)
    .post<Track>("/tracks", { json: { track: { title: "Весенняя песня", upload_id: upload.id } } });
  expect([track.status, track.body.permalink]).toEqual([201, "vesennyaya-pesnya"]);
  const playlist = await api
    .as(ana)
    .post<Playlist>("/playlists", { json: { playlist: { title: "春の歌" } } });
  expect([playlist.status, playlist.body.permalink]).toEqual([201, "chun-noge"]);
  expect((await new Browser().get(`/${ana.username}/sets/chun-noge`)).status).toBe(200);
});

test("a user can be followed during a rename, which takes long with many tracks", async () => {
  const [ana, bo] = [await createUser(), await createUser()];
  const renaming = new pg.Client({ connectionString: stack.databaseUrl });
  await renaming.connect();
  try {
    const name = uniqueName();
    await renaming.query("begin");
    await renaming.query(
      "update users set username = $2, username_key = $2, look_alike_key = $2 where id = $1",
      [ana.id, name],
    );
    expect((await api.as(bo).put(`/me/followings/${ana.id}`)).status).toBe(201);
  } finally {
    await renaming.end();
  }
});
