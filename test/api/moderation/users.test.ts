import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { Browser, createMember, settingsStatus, signIn } from "../../support/browser.ts";
import { basicOf } from "../../support/oauth.ts";
import { operate } from "../../support/operate.ts";
import { type App, createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";

interface User extends Record<string, unknown> {
  id: number;
  permalink: string;
  plan: string;
  state: string;
}

const because = (reason: string) => ["--reason", reason];

const suspend = (who: { username: string }) =>
  operate<User>("user suspend", "--user", who.username, ...because("Spam"));
const restore = (who: { username: string }) => operate<User>("user restore", "--user", who.username);

interface Act {
  act: string;
  actor: string;
  reason: string | null;
  details: Record<string, unknown>;
}

const actsOn = async (who: { username: string }) =>
  (await operate<{ acts: Act[] }>("audit list", "--user", who.username)).acts;

const refresh = (app: App, refresh_token: string) =>
  fetch(`${stack.urls.api}/oauth/token`, {
    method: "POST",
    headers: basicOf(app),
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token }),
  });

const ownToken = (app: App) =>
  fetch(`${stack.urls.api}/oauth/token`, {
    method: "POST",
    headers: basicOf(app),
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });

test("an operator finds users by name, e-mail address and id", async () => {
  const who = await createUser();
  for (const words of [who.username.slice(2).toUpperCase(), `${who.username}@example`, String(who.id)]) {
    const { users } = await operate<{ users: User[] }>("user find", "--words", words);
    expect(users.map(({ id }) => id)).toContain(who.id);
  }
  for (const name of [who.username, `${who.username}@EXAMPLE.com`, String(who.id)])
    expect(await operate("user show", "--user", name)).toMatchObject({ id: who.id, state: "active" });
  expect((await operate<{ users: User[] }>("user find", "--words", "100%_no")).users).toEqual([]);
  await expect(operate("user show", "--user", "nobody-at-all")).rejects.toThrow("no user");
});

test("a suspended user is signed out everywhere and cannot come back until restored", async () => {
  const { browser, username, email, id } = await createMember();
  const app = await createApp();
  const { access_token: token, refresh_token = "" } = await operate<Record<string, string>>(
    ...(["token create", "--app", app.client_id, "--user", username] as const),
  );
  expect((await api.as({ token: token ?? "" }).get("/me")).status).toBe(200);
  expect(await settingsStatus(browser)).toBe(200);

  expect(await suspend({ username })).toMatchObject({ id, state: "suspended", suspended_for: "Spam" });
  expect((await api.as({ token: token ?? "" }).get("/me")).status).toBe(401);
  expect(await settingsStatus(browser)).toBe(303);
  const refused = await refresh(app, refresh_token);
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    400,
    "invalid_grant",
  ]);
  const again = await signIn(new Browser(), email);
  expect(again.status).toBe(422);
  expect(again.html).toContain("Your account is suspended. The reason: Spam");
  const guessed = await signIn(new Browser(), email, "another password");
  expect([guessed.status, guessed.html.includes("suspended")]).toEqual([422, false]);
  await expect(operate("token create", "--app", app.client_id, "--user", username)).rejects.toThrow(
    "no user",
  );
  await expect(suspend({ username })).rejects.toThrow("suspended already");

  expect(await restore({ username })).toMatchObject({ state: "active", suspended_for: null });
  expect((await signIn(new Browser(), email)).status).toBe(303);
  // Sessions stay ended.
  expect((await refresh(app, refresh_token)).status).toBe(400);
  expect((await api.as({ token: token ?? "" }).get("/me")).status).toBe(401);
  await expect(restore({ username })).rejects.toThrow("not suspended");
});

test("a suspension hides what the user made, and the return shows it again", async () => {
  const [who, fan] = [await createUser(), await createUser()];
  const [theirs, mine] = [await createPlayableTrack(who), await createPlayableTrack(fan)];
  await createComment(who, mine);
  await api.as(fan).post(`/likes/tracks/${theirs.id}`);
  const seen = async () => {
    const [track, user, comments, me] = await Promise.all([
      api.as(fan).get(`/tracks/${theirs.id}`),
      api.as(fan).get(`/users/${who.id}`),
      api.as(fan).get<unknown[]>(`/tracks/${mine.id}/comments`),
      api.as(fan).get<{ public_favorites_count: number }>("/me"),
    ]);
    return [track.status, user.status, comments.body.length, me.body.public_favorites_count];
  };
  expect(await seen()).toEqual([200, 200, 1, 1]);
  await suspend(who);
  expect(await seen()).toEqual([404, 404, 0, 0]);
  await restore(who);
  expect(await seen()).toEqual([200, 200, 1, 1]);
});

test("tracks and playlists of others name neither a suspended label nor a suspended developer's app", async () => {
  const [label, developer] = [await createUser(), await createUser({ plan: "artist" })];
  const app = await operate<App & Record<string, unknown>>(
    ...(["app create", "--owner", developer.username, "--name", "Theirs", "--redirect-uri"] as const),
    "http://127.0.0.1/cb",
  );
  const [owner, fan] = [await createUser(), await createUser()];
  const track = await createPlayableTrack(owner);
  await sql("update tracks set app_id = (select id from apps where client_id = $2) where id = $1", [
    track.id,
    app.client_id,
  ]);
  await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { label_id: label.id } } });
  const made = await api.as(owner).post<{ id: number }>("/playlists", {
    json: { playlist: { title: "Set", label_id: label.id, tracks: [{ id: track.id }] } },
  });
  type Named = { label: { id: number } | null; created_with?: { name: string } };
  const named = async () => {
    const [one, own, list, playlist] = await Promise.all([
      api.as(fan).get<Named>(`/tracks/${track.id}`),
      api.as(owner).get<Named>(`/tracks/${track.id}`),
      api.as(fan).get<Named[]>(`/tracks?ids=${track.id}`),
      api.as(fan).get<Named>(`/playlists/${made.body.id}`),
    ]);
    const tracks = [one.body, own.body, list.body[0]];
    return [
      ...tracks.map((body) => [body?.label?.id, body?.created_with?.name]),
      [playlist.body.label?.id, undefined],
    ];
  };
  const shown = [
    [label.id, "Theirs"],
    [label.id, "Theirs"],
    [label.id, "Theirs"],
    [label.id, undefined],
  ];
  expect(await named()).toEqual(shown);
  for (const who of [label, developer]) await suspend(who);
  expect(await named()).toEqual(Array(4).fill([undefined, undefined]));
  for (const who of [label, developer]) await restore(who);
  expect(await named()).toEqual(shown);
});

test("apps, webhooks, uploads and waiting encodes of a suspended user stop", async () => {
  const developer = await createUser({ plan: "artist" });
  const app = await operate<App & Record<string, unknown>>(
    ...(["app create", "--owner", developer.username, "--name", "Mine", "--redirect-uri"] as const),
    "http://127.0.0.1/cb",
  );
  const own = await tokenOf(app);
  const waiting = await createTrack(developer);
  await sql(
    "update encoding_jobs set state = 'queued', next_run_at = now() + interval '1 hour' where track_id = $1",
    [waiting.id],
  );
  const hook = await api.as(developer).post<{ id: number }>("/me/webhooks", {
    json: { url: "https://example.com/hook", events: ["track.finished"] },
  });
  expect(hook.status).toBe(201);
  const upload = await api
    .as(developer)
    .post<{ id: number }>("/uploads", { json: { filename: "a.wav", size: 10, type: "audio/wav" } });
  expect(upload.status).toBe(201);

  await suspend(developer);
  expect((await api.as({ token: own }).get("/tracks")).status).toBe(401);
  expect((await ownToken(app)).status).toBe(401);
  const state = async () => {
    const [row] = await sql<{ enabled: boolean; waits: boolean; open: boolean }>(
      `select w.enabled, j.next_run_at < now() + interval '1 day' as waits, u.expires_at > now() as open
       from webhooks w, encoding_jobs j, uploads u where w.id = $1 and j.track_id = $2 and u.id = $3`,
      [hook.body.id, waiting.id, upload.body.id],
    );
    return row;
  };
  expect(await state()).toEqual({ enabled: false, waits: false, open: false });

  await restore(developer);
  expect((await ownToken(app)).status).toBe(200);
  // Its earlier token has ended, and the owner turns the webhook on again.
  expect((await api.as({ token: own }).get("/tracks")).status).toBe(401);
  expect(await state()).toEqual({ enabled: false, waits: true, open: false });
});

test("a revoked app loses its tokens, and its owner's return does not start it", async () => {
  const owner = await createUser({ plan: "artist" });
  const app = await operate<App & Record<string, unknown>>(
    ...([
      "app create",
      "--owner",
      owner.username,
      "--name",
      "Bad",
      "--redirect-uri",
      "http://127.0.0.1/cb",
    ] as const),
  );
  const user = await createUser({ app });
  const revoke = () => operate("app revoke", "--app", app.client_id, ...because("It sends spam"));
  expect(await revoke()).toMatchObject({ client_id: app.client_id, sessions_ended: 1 });
  expect((await api.as(user).get("/me")).status).toBe(401);
  expect((await ownToken(app)).status).toBe(401);
  await suspend(owner);
  await restore(owner);
  expect((await ownToken(app)).status).toBe(401);
  await operate("app restore", "--app", app.client_id);
  expect((await ownToken(app)).status).toBe(200);
  expect((await api.as(user).get("/me")).status).toBe(401);

  // Revoked while its owner is shut out.
  await suspend(owner);
  await revoke();
  await expect(operate("app restore", "--app", app.client_id)).rejects.toThrow("suspended");
  await restore(owner);
  expect((await ownToken(app)).status).toBe(401);
  await expect(operate("app revoke", "--app", "site", ...because("No"))).rejects.toThrow("own pages");
});

test("an operator deletes users, ends their sessions and sets their plan", async () => {
  const [gone, other] = [await createUser(), await createUser()];
  expect(await operate("user sign-out", "--user", other.username)).toMatchObject({ sessions_ended: 1 });
  expect((await api.as(other).get("/me")).status).toBe(401);
  expect(await operate("user set-plan", "--user", other.username, "--plan", "artist")).toMatchObject({
    plan: "artist",
  });
  await expect(operate("user set-plan", "--user", other.username, "--plan", "gold")).rejects.toThrow(
    "--plan",
  );

  await suspend(gone);
  const deleted = await operate<User>("user delete", "--user", String(gone.id), ...because("Asked by mail"));
  expect(deleted).toMatchObject({ state: "leaving", email: null });
  // The sweep may have erased the row meanwhile.
  await expect(restore(gone)).rejects.toThrow(/left|There is no such user/);
  expect((await api.as(other).get(`/users/${gone.id}`)).status).toBe(401);
});

test("each act is in the audit log with who, why and what", async () => {
  const who: Person = await createUser();
  await operate("user set-plan", "--user", who.username, "--plan", "artist", ...because("Paid by invoice"));
  await suspend(who);
  await restore(who);
  const acts = await actsOn(who);
  expect(acts.map(({ act, reason }) => [act, reason])).toEqual([
    ["user.restore", null],
    ["user.suspend", "Spam"],
    ["user.plan", "Paid by invoice"],
  ]);
  expect(acts[2]?.details).toEqual({ from: "free", to: "artist" });
  expect(acts[0]?.actor).toMatch(/^command line: ./);
  // Refused acts changed nothing, so they leave no row.
  await expect(restore(who)).rejects.toThrow();
  expect((await actsOn(who)).length).toBe(3);
});

test("a suspension without a reason is refused", async () => {
  const who = await createUser();
  await expect(operate("user suspend", "--user", who.username)).rejects.toThrow("--reason is missing");
  await expect(operate("user suspend", "--user", who.username, ...because(" "))).rejects.toThrow("--reason");
  expect((await api.as(who).get("/me")).status).toBe(200);
});
