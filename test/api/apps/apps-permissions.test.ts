import { expect, test } from "vitest";
import type { AppWithSecret, OwnApp } from "../../../functions/api/apps/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { type App, createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

const developer = (app?: App) => createUser({ plan: "artist", ...(app && { app }) });

const register = async (by: { token: string }) =>
  (
    await api.as(by).post<AppWithSecret>("/me/apps", {
      json: { name: "Box Office", redirect_uris: ["https://client.example/cb"] },
    })
  ).body;

/** Statuses of renewing its secret and of deleting it. */
const managing = async (by: { token: string }, { id }: { id: number }) => [
  (await api.as(by).post<ErrorReply>(`/me/apps/${id}/secret`)).status,
  (await api.as(by).delete<ErrorReply>(`/me/apps/${id}`)).status,
];

/** The same user, with another app's token. */
const through = async (app: App, { username }: Person) => ({ token: await tokenOf(app, username) });

test("a token manages the apps that its own app registered, and none of the user's others", async () => {
  const ana = await developer(await createApp());
  const mine = await register(ana);
  const other = await through(await createApp(), ana);
  expect(await managing(other, mine)).toEqual([403, 403]);
  const refused = await api.as(other).delete<ErrorReply>(`/me/apps/${mine.id}`);
  expect(refused.body.errors[0]?.error_message).toContain("/you/apps");
  // The token may list the app, because the user allowed that.
  expect((await api.as(other).get<OwnApp[]>("/me/apps")).body).toMatchObject([{ id: mine.id }]);
  expect(await managing(await through(ana.app, ana), mine)).toEqual([200, 200]);
});

test("an app manages itself", async () => {
  const ana = await developer();
  const registered = await register(ana);
  const itself = await through(registered, ana);
  expect(await managing(itself, registered)).toEqual([200, 200]);
  expect((await api.as(itself).get("/me")).status).toBe(401);
});

test("an app registered on the site or by an operator is out of every other app's reach", async () => {
  const ana = await developer();
  const [bySite] = [await register(ana)];
  await sql("update apps set registered_by = null where id = $1", [bySite.id]);
  expect(await managing(ana, bySite)).toEqual([403, 403]);
});

test("our own pages' app manages all apps of the user", async () => {
  const ana = await developer();
  const registered = await register(ana);
  const ours = await createApp();
  await sql("update apps set first_party = true where id = $1", [ours.id]);
  expect(await managing(await through(ours, ana), registered)).toEqual([200, 200]);
});

test("a refusal does not reveal whether another user's app exists", async () => {
  const [ana, ben] = [await developer(), await developer()];
  const registered = await register(ana);
  expect(await managing(ben, registered)).toEqual([404, 404]);
  expect(await managing(ben, { id: 1 })).toEqual([404, 404]);
});

test("an app stays when the app that registered it is deleted, and the site manages it", async () => {
  const ana = await developer(await createApp());
  const registered = await register(ana);
  await sql("delete from apps where id = $1", [ana.app.id]);
  const other = await through(await createApp(), ana);
  expect((await api.as(other).get<OwnApp[]>("/me/apps")).body).toMatchObject([{ id: registered.id }]);
  expect(await managing(other, registered)).toEqual([403, 403]);
});

test("an app whose registering app is deleted at the same moment is registered", async () => {
  const ana = await developer(await createApp());
  const { id } = await askDuring("delete from apps where id = $1", [ana.app.id], () => register(ana));
  expect(await sql("select registered_by from apps where id = $1", [id])).toEqual([{ registered_by: null }]);
});
