import { expect, test } from "vitest";
import type { AppWithSecret, OwnApp } from "../../../functions/api/apps/representation.ts";
import { api } from "../../support/api.ts";
import { mailTo } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { runCron } from "../../support/stack.ts";
import { developer, ownToken, register } from "./apps.support.ts";

test("an app that operators revoked tells its owner since when, and a new secret does not hide it", async () => {
  const ana = await developer();
  const { body: app } = await register(ana);
  expect(app.revoked_at).toBeNull();
  const act = (name: string) => operate(`app ${name}`, "--app", app.client_id, "--reason", "It spams");
  await act("revoke");
  const { body: listed } = await api.as(ana).get<OwnApp[]>("/me/apps");
  expect(listed).toEqual([{ ...app, client_secret: undefined, revoked_at: expect.any(String) }]);
  expect(listed[0]?.revoked_at).toMatch(/^\d{4}(\/\d\d){2} \d\d(:\d\d){2} \+0000$/);
  const { body: rotated } = await api.as(ana).post<AppWithSecret>(`/me/apps/${app.id}/secret`);
  expect(rotated.revoked_at).toBe(listed[0]?.revoked_at);
  expect((await ownToken(app, rotated.client_secret)).status).toBe(401);
  await act("restore");
  expect((await api.as(ana).get<OwnApp[]>("/me/apps")).body[0]?.revoked_at).toBeNull();
  expect((await ownToken(app, rotated.client_secret)).status).toBe(200);
});

test("an owner is told by mail of a revocation and its end, with the operators' words and never their reason", async () => {
  const ana = await developer();
  const { body: app } = await register(ana);
  const act = (name: string, ...more: string[]) =>
    operate(`app ${name}`, "--app", app.client_id, "--reason", "Reported by Ben", ...more);
  const shown = async () => {
    const { body } = await api.as(ana).get<OwnApp[]>("/me/apps");
    return body.map(({ revoked_at, revoked_for }) => [revoked_at !== null, revoked_for]);
  };
  const mailed = async (subject: string) => {
    await runCron("* * * * *");
    return (await mailTo(`${ana.username}@example.com`, subject)).text;
  };
  await expect(act("revoke", "--message", " ")).rejects.toThrow("--message is missing");
  await act("revoke", "--message", "It floods comments. Slow it down, and write to us.");
  expect(await shown()).toEqual([[true, "It floods comments. Slow it down, and write to us."]]);
  const mail = await mailed("Your app was revoked");
  expect(mail).toContain("“Box Office”");
  expect(mail).toContain("They say: It floods comments. Slow it down, and write to us.");
  expect(mail).not.toContain("Ben");

  await act("restore");
  expect(await shown()).toEqual([[false, null]]);
  expect(await mailed("Your app is back")).not.toContain("Ben");
  await act("revoke");
  expect(await shown()).toEqual([[true, null]]);
});
