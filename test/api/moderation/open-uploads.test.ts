import { expect, test } from "vitest";
import { createMember, PASSWORD } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { runCron } from "../../support/stack.ts";
import { operatorAt } from "../../web/admin/admin.support.ts";
import { threeHosts } from "../../web/site/three-hosts.ts";
import { isOpenInStorage, open, partUrl, put, row, TWO_PARTS } from "../uploads/uploads.support.ts";

const service = await threeHosts();
const { browser: admin } = await operatorAt(service);

const pageOf = ({ id }: Person) => `/admin/users/${id}`;

async function stranger() {
  const who = await createUser();
  return { who, leave: async () => {} };
}

async function member() {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const who: Person = { id, username, app, token: await tokenOf(app, username) };
  const leave = () => browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  return { who, leave };
}

test.each<[string, () => Promise<{ who: Person; leave: () => Promise<unknown> }>, (who: Person) => unknown]>([
  [
    "is suspended on a page",
    stranger,
    (who) => admin.submit(pageOf(who), `${pageOf(who)}/suspend`, { reason: "Spam" }),
  ],
  [
    "is deleted on a page",
    stranger,
    (who) =>
      admin.submit(`${pageOf(who)}/delete`, `${pageOf(who)}/delete`, { reason: "Spam", name: who.username }),
  ],
  ["leaves", member, () => {}],
  [
    "is suspended by a command, within the minute of the cron",
    stranger,
    async ({ username }) => {
      await operate("user suspend", "--user", username, "--reason", "Spam");
      await runCron("* * * * *");
    },
  ],
])("a user who %s sends no part more at an address from before", async (_how, made, act) => {
  const { who, leave } = await made();
  const upload = await open(who, TWO_PARTS.size);
  const [first, second] = [await partUrl(who, upload, 1), await partUrl(who, upload, 2)];
  const last = new Blob([new Uint8Array(1000)]);
  expect((await put(second, last)).status).toBe(200);
  const { key } = await row(upload);
  await act(who);
  await leave();
  expect(await isOpenInStorage(key)).toBe(false);
  expect((await put(second, last)).status).toBe(404);
  expect((await put(first, TWO_PARTS.slice(0, -1000))).status).toBe(404);
});
