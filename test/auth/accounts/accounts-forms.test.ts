import { expect, test } from "vitest";
import {
  Browser,
  createMember,
  hiddenFields,
  linkIn,
  mailTo,
  PASSWORD,
  settingsStatus,
  uniqueName,
} from "../../support/browser.ts";
import { sql, stack, workerLog } from "../../support/stack.ts";

/** Page, form, and whether it requires a signed-in user. */
const FORMS = [
  ["/signup", "/signup", false],
  ["/signin", "/signin", false],
  ["/forgot", "/forgot", false],
  ["/confirm", "/confirm", false],
  ["/reset", "/reset", false],
  ["/cancel-change", "/cancel-change", false],
  ["/settings", "/signout", true],
  ["/settings", "/settings/profile", true],
  ["/settings", "/settings/confirmation", true],
  ["/settings", "/settings/email", true],
  ["/settings", "/settings/email/cancel", true],
  ["/settings", "/settings/password", true],
  ["/settings", "/settings/export", true],
  ["/settings", "/settings/delete", true],
] as const;

/** A signed-in user whose settings show the form. */
async function createMemberWith(action: string): Promise<Browser> {
  const { browser, id } = await createMember();
  if (action !== "/settings/confirmation") await letChange(id);
  return browser;
}

/** Confirms the current address and starts a change of address. */
async function letChange(id: number): Promise<void> {
  await sql("update accounts set confirmed_at = now() where user_id = $1", [id]);
  await sql(
    `insert into mail_tokens (hash, user_id, purpose, email, expires_at)
     values ($1, $2, 'confirm', $1 || '@example.com', now() + interval '1 day')`,
    [uniqueName(), id],
  );
}

test.each(FORMS)(
  "the form of %s that leads to %s is accepted from our own page only (O24)",
  async (page, action, signedIn) => {
    const [own, other] = signedIn
      ? [await createMemberWith(action), await createMemberWith(action)]
      : [new Browser(), new Browser()];
    const fields = hiddenFields((await own.get(page)).html, action);
    const foreign = hiddenFields((await other.get(page)).html, action);
    const { form_token = "", ...rest } = fields;
    const [payload, tag] = form_token.split(".");
    const refused = [
      await own.post(action, rest),
      await own.post(action, { ...rest, form_token: "" }),
      await own.post(action, foreign),
      await own.post(action, {
        ...rest,
        form_token: `${payload}.${tag?.slice(0, -1)}${tag?.endsWith("A") ? "Q" : "A"}`,
      }),
      await own.post(action, fields, { Origin: "https://evil.example" }),
      await own.post(action, fields, { Origin: `${stack.urls.api}.evil.example` }),
      await own.post(action, fields, { "Sec-Fetch-Site": "cross-site" }),
      await own.post(action, fields, { Origin: "null", "Sec-Fetch-Site": "cross-site" }),
      await new Browser().post(action, fields),
    ];
    for (const { status, headers, html } of refused) {
      expect(status).toBe(403);
      expect(headers["content-type"]).toBe("text/html; charset=UTF-8");
      expect(html).toContain("That form cannot be sent");
    }
    if (signedIn) expect(await settingsStatus(own)).toBe(200);
    const taken = await own.post(action, fields, { Origin: "null", "Sec-Fetch-Site": "same-origin" });
    expect(taken.status).not.toBe(403);
  },
);

test("a form's token is invalid for other forms", async () => {
  const { browser } = await createMember();
  const { html } = await browser.get("/settings");
  const fields = { ...hiddenFields(html, "/settings/export"), current_password: PASSWORD };
  expect((await browser.post("/settings/delete", fields)).status).toBe(403);
  expect((await browser.post("/settings/apps/1/revoke", fields)).status).toBe(403);
});

test("403: a browser without cookies gets an error that says so", async () => {
  const fields = hiddenFields((await new Browser().get("/signin")).html, "/signin");
  const { status, html } = await new Browser().post("/signin", {
    ...fields,
    email: "a@b.c",
    password: PASSWORD,
  });
  expect(status).toBe(403);
  expect(html).toContain("Your browser sent no cookie with the form");
});

test("every page, refused or not, forbids framing, caching and foreign scripts (O25)", async () => {
  const { browser } = await createMember();
  const pages = [
    await browser.get("/settings"),
    await browser.submit("/settings", "/settings/profile", { username: "" }),
    await browser.post("/settings/delete", {}),
    ...(await Promise.all(
      ["/signup", "/signin", "/forgot", "/forgot/sent", "/confirm", "/reset"].map((path) =>
        new Browser().get(path, { Origin: "https://evil.example" }),
      ),
    )),
    await new Browser().post("/signin", {}),
  ];
  for (const { headers } of pages) {
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    const policy = headers["content-security-policy"] ?? "";
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
      expect(policy).toContain(part);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("other methods, bodies and encodings are refused as documented, never with a 5xx", async () => {
  const { browser } = await createMember();
  const send = (path: string, init: RequestInit) =>
    fetch(stack.urls.api + path, { redirect: "manual", ...init });
  expect((await send("/signin", { method: "PUT" })).status).toBe(405);
  expect((await send("/signin", { method: "DELETE" })).headers.get("Allow")).toContain("POST");
  expect((await send("/signin", { method: "HEAD" })).status).toBe(200);
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const [body, headers, status] of [
    ["{}", { "Content-Type": "application/json" }, 415],
    ["email=%zz", form, 400],
    ["email=a&email=b", form, 400],
    ["a[b]=c&form_token[x]=y", form, 403],
    ["", form, 403],
  ] as const) {
    for (const path of ["/signin", "/signup", "/settings/profile", "/confirm"])
      expect((await send(path, { method: "POST", body, headers })).status, path + body.slice(0, 20)).toBe(
        status,
      );
  }
  expect((await browser.post("/settings/apps/x/revoke", {})).status).toBe(404);
  expect((await new Browser().get("/signin?next=%ff%00")).status).toBe(200);
});

test("a signed-out user is sent to sign in from every form of the settings", async () => {
  const { browser, id } = await createMember();
  const unconfirmed = await browser.get("/settings");
  await letChange(id);
  const html = unconfirmed.html + (await browser.get("/settings")).html;
  await sql("update site_sessions set revoked_at = now() where user_id = $1", [id]);
  const profile = { username: "Someone else" };
  const change = {
    email: "a@example.com",
    current_password: PASSWORD,
    new_password: "another horse battery",
  };
  for (const [page, action, signedIn] of FORMS) {
    if (!signedIn || action === "/signout") continue;
    const savedCookies = new Map(browser.cookies);
    const fields = { ...hiddenFields(html, action), ...profile, ...change };
    const reply = await browser.post(action, { ...fields });
    expect([page, reply.status, reply.headers.location]).toEqual([page, 303, "/signin?next=%2Fsettings"]);
    for (const [name, value] of savedCookies) browser.cookies.set(name, value);
  }
  expect(await sql("select 1 from users where id = $1 and username = 'Someone else'", [id])).toEqual([]);
});

test("no credential is stored in the database (O68) or logged (X91)", async () => {
  const { browser, email } = await createMember();
  const canary = `canary horse ${uniqueName()}`;
  const confirm = linkIn(await mailTo(email, "Confirm")).split("token=")[1] ?? "";
  await browser.submit("/forgot", "/forgot", { email });
  const link = linkIn(await mailTo(email, "new password"));
  const reset = link.split("token=")[1] ?? "";
  const cookies = [...browser.cookies.values()];
  await browser.submit("/settings", "/settings/password", {
    current_password: PASSWORD,
    new_password: canary,
  });
  await new Browser().submit("/signin", "/signin", { email: canary, password: canary });
  await browser.submit(link, "/reset", { password: `${canary} again` });
  const formToken = hiddenFields((await new Browser().get("/signin")).html, "/signin").form_token ?? "";
  const secrets = [canary, confirm, reset, formToken, ...cookies];
  expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThan(20);
  const tables = await sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of tables) {
    const rows = JSON.stringify(await sql(`select t::text from "${name}" t`));
    for (const secret of secrets) expect(rows.includes(secret), `${name} holds ${secret}`).toBe(false);
  }
  const logged = JSON.stringify(workerLog());
  for (const secret of [...secrets, email]) expect(logged.includes(secret), secret).toBe(false);
});
