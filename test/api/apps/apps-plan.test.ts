import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { siteCookieOf } from "../../support/site-session.ts";

let open: Awaited<ReturnType<typeof startSecondWorker>>;

beforeAll(async () => {
  open = await startSecondWorker(() => ({ APPS_NEED_PLAN: "off" }));
});

afterAll(() => open.stop());

test("with APPS_NEED_PLAN off, a user without a plan registers an app, and the settings say so", async () => {
  const { id, token } = await createUser({ plan: "free" });
  const reply = await fetch(open.at("/me/apps"), {
    method: "POST",
    headers: { Authorization: `OAuth ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Mine", redirect_uris: ["https://client.example/cb"] }),
  });
  expect([reply.status, await reply.json()]).toEqual([
    201,
    expect.objectContaining({ client_secret: expect.stringMatching(/^cs_/) }),
  ]);
  const settings = await fetch(open.at("/settings"), { headers: { Cookie: await siteCookieOf(id) } });
  expect(await settings.text()).toContain("</strong>. You can register apps of your own.");
});
