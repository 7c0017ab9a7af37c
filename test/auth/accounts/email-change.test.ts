import { expect, test } from "vitest";
import { hashSecret } from "../../../functions/lib/security/random.ts";
import { api } from "../../support/api.ts";
import {
  Browser,
  createConfirmedMember,
  createMember,
  hiddenFields,
  linkIn,
  type Member,
  mailsTo,
  mailTo,
  PASSWORD,
  requestEmailChange,
  settingsStatus,
  signIn,
  uniqueName,
} from "../../support/browser.ts";
import { createApp, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

const NEW_PASSWORD = "another horse battery";

const emailOf = async (id: number) =>
  (await sql<{ email: string }>("select email from accounts where user_id = $1", [id]))[0]?.email;

const resetPassword = async ({ email }: Member) => {
  await new Browser().submit("/forgot", "/forgot", { email });
  const link = linkIn(await mailTo(email, "Choose a new password"));
  const reset = await new Browser().submit(link, "/reset", { password: NEW_PASSWORD });
  expect(reset.status).toBe(303);
};

const follow = async (link: string) =>
  (await new Browser().submit(link, link.slice(0, link.indexOf("?")))).status;

test("a new address takes effect once its link is opened; the old address is notified before and after", async () => {
  const member = await createConfirmedMember();
  const { browser, id, email } = member;
  const first = linkIn(await mailTo(email, "Confirm"));
  const wrong = await browser.submit("/settings", "/settings/email", {
    email: `${uniqueName()}@example.com`,
    current_password: "not it",
  });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Current password is wrong");
  expect(await mailsTo(email)).toHaveLength(1);
  const { changed, confirm, cancel } = await requestEmailChange(member);
  // The mail contains no user input.
  expect((await mailTo(email, "Another e-mail address")).text).not.toContain(changed);
  expect((await browser.get("/settings")).html).toContain(
    `<strong>${changed}</strong> waits to be confirmed.`,
  );
  expect((await signIn(new Browser(), changed)).status).toBe(422);
  expect(await follow(confirm)).toBe(200);
  await mailTo(email, "was changed");
  expect((await signIn(new Browser(), changed)).status).toBe(303);
  // Older links neither restore the old address nor claim to have stopped a change.
  expect([await follow(first), await follow(cancel)]).toEqual([422, 422]);
  expect(await emailOf(id)).toBe(changed);
});

test("after a change, unused confirmation and reset links to the former address are invalid", async () => {
  const member = await createMember();
  const { browser, id, email } = member;
  const first = linkIn(await mailTo(email, "Confirm"));
  await browser.submit("/settings", "/settings/confirmation");
  await expect.poll(async () => (await mailsTo(email)).length).toBe(2);
  const second = (await mailsTo(email)).map(linkIn).find((link) => link !== first);
  expect(await follow(second ?? "")).toBe(200);
  await new Browser().submit("/forgot", "/forgot", { email });
  const reset = linkIn(await mailTo(email, "Choose a new password"));
  const { changed, confirm } = await requestEmailChange(member);
  expect(await follow(confirm)).toBe(200);
  expect(await follow(first)).toBe(422);
  expect((await new Browser().submit(reset, "/reset", { password: NEW_PASSWORD })).status).toBe(422);
  expect(await emailOf(id)).toBe(changed);
});

test("the present address is refused as a new one without a mail, and another spelling of it is taken", async () => {
  const member = await createConfirmedMember();
  const { browser, email } = member;
  const { confirm } = await requestEmailChange(member);
  const before = (await mailsTo(email)).length;
  const fields = (address: string) => ({ email: address, current_password: PASSWORD });
  const same = await browser.submit("/settings", "/settings/email", fields(email));
  expect([same.status, (await mailsTo(email)).length]).toEqual([422, before]);
  expect(same.html).toContain("New e-mail address is the current one");
  // The pending change stays pending.
  expect(await follow(confirm)).toBe(200);
  const upper = (await emailOf(member.id))?.toUpperCase() ?? "";
  expect((await browser.submit("/settings", "/settings/email", fields(upper))).status).toBe(303);
});

test("another user's address gets no mail, the old one does, and the page replies as usual", async () => {
  const [{ browser, email }, other] = [await createConfirmedMember(), await createMember()];
  await mailTo(other.email, "Confirm");
  const fields = { email: other.email.toUpperCase(), current_password: PASSWORD };
  const asked = await browser.submit("/settings", "/settings/email", fields);
  expect([asked.status, asked.headers.location]).toEqual([303, "/settings?notice=address-asked"]);
  await mailTo(email, "Another e-mail address");
  expect(await mailsTo(other.email)).toHaveLength(1);
});

test("a password reset ends a pending change of address", async () => {
  const victim = await createConfirmedMember();
  const { confirm, cancel } = await requestEmailChange(victim);
  await resetPassword(victim);
  expect(await follow(confirm)).toBe(422);
  expect(await emailOf(victim.id)).toBe(victim.email);
  expect((await signIn(new Browser(), victim.email, NEW_PASSWORD)).status).toBe(303);
  // Its own change is stopped, so its link says so.
  expect(await follow(cancel)).toBe(200);
});

test("a new password from the settings ends a pending change of address and reset", async () => {
  const member = await createConfirmedMember();
  const { confirm } = await requestEmailChange(member);
  await new Browser().submit("/forgot", "/forgot", { email: member.email });
  const reset = linkIn(await mailTo(member.email, "Choose a new password"));
  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await member.browser.submit("/settings", "/settings/password", fields)).status).toBe(303);
  expect((await member.browser.get("/settings")).html).not.toContain("waits to be confirmed");
  expect(await follow(confirm)).toBe(422);
  const used = await new Browser().submit(reset, "/reset", { password: "a third horse battery" });
  expect(used.status).toBe(422);
  const [left] = await sql<{ count: string }>(
    "select count(*) from mail_tokens where user_id = $1 and used_at is null",
    [member.id],
  );
  expect(left?.count).toBe("0");
});

test("an account created in advance with a victim's address is theirs alone after a reset", async () => {
  const stranger = await createMember();
  const app = await createApp();
  const token = await tokenOf(app, stranger.username);
  await sql("insert into consents (user_id, app_id) values ($1, $2)", [stranger.id, app.id]);
  const link = `mt_${"y".repeat(34)}${uniqueName().slice(0, 9)}`;
  await sql(
    `insert into mail_tokens (hash, user_id, purpose, email, expires_at)
     values ($1, $2, 'confirm', 'stranger@example.com', now() + interval '1 day')`,
    [hashSecret(link), stranger.id],
  );
  await resetPassword(stranger);
  expect(await follow(`/confirm?token=${link}`)).toBe(422);
  expect(await emailOf(stranger.id)).toBe(stranger.email);
  expect(await settingsStatus(stranger.browser)).toBe(303);
  expect((await signIn(stranger.browser, stranger.email)).status).toBe(422);
  expect((await api.as({ token }).get("/me")).status).toBe(401);
  expect(await sql("select 1 from consents where user_id = $1", [stranger.id])).toEqual([]);
});

test("an unconfirmed address cannot be changed, whatever form is sent", async () => {
  const { browser, id, email } = await createMember();
  const { form_token } = await emailForm(browser, id);
  expect((await browser.get("/settings")).html).not.toContain('action="/settings/email"');
  const changed = `${uniqueName()}@example.com`;
  const refused = await browser.post("/settings/email", {
    form_token,
    email: changed,
    current_password: PASSWORD,
  });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("E-mail address cannot change before the current one is confirmed");
  expect(await emailOf(id)).toBe(email);
  expect(await sql("select 1 from mail_tokens where user_id = $1 and email <> $2", [id, email])).toEqual([]);
  expect(await mailsTo(changed)).toEqual([]);
});

/** Hidden fields of the form on a page opened while the address was confirmed. */
async function emailForm(browser: Browser, id: number) {
  await sql("update accounts set confirmed_at = now() where user_id = $1", [id]);
  const fields = hiddenFields((await browser.get("/settings")).html, "/settings/email");
  await sql("update accounts set confirmed_at = null where user_id = $1", [id]);
  return { form_token: "", ...fields };
}

test("the link to the old address stops the change by a button, repeatedly", async () => {
  const member = await createConfirmedMember();
  const { changed, confirm, cancel } = await requestEmailChange(member);
  expect(cancel).toMatch(/^\/cancel-change\?token=mt_\w{43}$/);
  // Mail scanners follow links.
  expect((await new Browser().get(cancel)).status).toBe(200);
  expect((await member.browser.get("/settings")).html).toContain(changed);
  expect([await follow(cancel), await follow(cancel)]).toEqual([200, 200]);
  expect((await member.browser.get("/settings")).html).not.toContain(changed);
  expect(await follow(confirm)).toBe(422);
  expect(await emailOf(member.id)).toBe(member.email);
});

test("a link that stopped one change does not stop the next", async () => {
  const member = await createConfirmedMember();
  const first = await requestEmailChange(member);
  expect(await follow(first.cancel)).toBe(200);
  const second = await requestEmailChange(member);
  expect(await follow(first.cancel)).toBe(200);
  expect(await follow(first.confirm)).toBe(422);
  expect(await follow(second.confirm)).toBe(200);
  expect(await emailOf(member.id)).toBe(second.changed);
});

test("the settings show a pending change and cancel it by a button", async () => {
  const member = await createConfirmedMember();
  const { changed, confirm } = await requestEmailChange(member);
  const exportedData = JSON.parse((await member.browser.submit("/settings", "/settings/export")).html);
  expect(exportedData.account).toMatchObject({ email: member.email, pending_email: changed });
  const cancelled = await member.browser.submit("/settings", "/settings/email/cancel");
  expect([cancelled.status, cancelled.headers.location]).toEqual([303, "/settings?notice=change-cancelled"]);
  const { html } = await member.browser.get("/settings?notice=change-cancelled");
  expect(html).toContain("The change is cancelled.");
  expect(html).not.toContain(changed);
  expect(await follow(confirm)).toBe(422);
});

test("the mail to a new address is sent again on request, and the link that stops the change stays valid", async () => {
  const member = await createConfirmedMember();
  const { browser, id } = member;
  const { changed, confirm, cancel } = await requestEmailChange(member);
  await sql("update mail_tokens set expires_at = now() + interval '1 hour' where user_id = $1", [id]);
  const again = await browser.submit("/settings", "/settings/confirmation");
  expect([again.status, again.headers.location]).toEqual([303, "/settings?notice=mail-sent"]);
  expect((await browser.get("/settings?notice=mail-sent")).html).toContain(`on its way to ${changed}.`);
  await expect.poll(async () => (await mailsTo(changed)).length).toBe(2);
  const [newest] = await mailsTo(changed);
  const second = linkIn(newest ?? { to: "", subject: "", text: "" });
  expect(second).not.toBe(confirm);
  const [stop] = await sql<{ later: boolean }>(
    "select bool_and(expires_at > now() + interval '2 days') as later from mail_tokens where user_id = $1 and purpose = 'cancel' and used_at is null",
    [id],
  );
  expect(stop?.later).toBe(true);
  expect(await follow(cancel)).toBe(200);
  expect([await follow(confirm), await follow(second)]).toEqual([422, 422]);
  const stopped = await browser.get("/settings");
  expect(stopped.html).not.toContain("Send the mail again");
});

test("requesting another user's address again looks the same and sends nothing", async () => {
  const [{ browser }, other] = [await createConfirmedMember(), await createMember()];
  await mailTo(other.email, "Confirm");
  const fields = { email: other.email, current_password: PASSWORD };
  await browser.submit("/settings", "/settings/email", fields);
  const again = await browser.submit("/settings", "/settings/confirmation");
  expect([again.status, again.headers.location]).toEqual([303, "/settings?notice=mail-sent"]);
  expect((await browser.get("/settings?notice=mail-sent")).html).toContain(`on its way to ${other.email}.`);
  expect(await mailsTo(other.email)).toHaveLength(1);
});

test("a forged, expired or foreign link stops nothing", async () => {
  const member = await createConfirmedMember();
  const { confirm, cancel } = await requestEmailChange(member);
  await sql("update mail_tokens set expires_at = now() where user_id = $1 and purpose = 'cancel'", [
    member.id,
  ]);
  for (const link of [
    cancel,
    confirm.replace("/confirm", "/cancel-change"),
    `/cancel-change?token=mt_${"x".repeat(43)}`,
    "/cancel-change?token=",
  ])
    expect(await follow(link), link).toBe(422);
  expect(await follow(cancel.replace("/cancel-change", "/confirm"))).toBe(422);
  expect(await follow(confirm)).toBe(200);
});

test("exactly one of a confirming and a stopping link opened together succeeds", async () => {
  for (let round = 0; round < 3; round++) {
    const member = await createConfirmedMember();
    const { changed, confirm, cancel } = await requestEmailChange(member);
    const statuses = await Promise.all([follow(confirm), follow(cancel)]);
    expect(statuses.toSorted()).toEqual([200, 422]);
    expect(await emailOf(member.id)).toBe(statuses[0] === 200 ? changed : member.email);
  }
});

test("deleting the account deletes its links", async () => {
  const member = await createConfirmedMember();
  const { confirm, cancel } = await requestEmailChange(member);
  await member.browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  expect([await follow(confirm), await follow(cancel)]).toEqual([422, 422]);
});
