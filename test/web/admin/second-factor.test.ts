import { describe, expect, test } from "vitest";
import { mailsTo, mailTo, PASSWORD } from "../../support/browser.ts";
import { createUser, createUserWithPassword, type Person } from "../../support/people.ts";
import { deliver, sql } from "../../support/stack.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import {
  codeOf,
  ENROL,
  ENTER,
  enrol,
  enter,
  operate,
  recoveryIn,
  secretIn,
  startCode,
} from "./admin.support.ts";

const service = await threeHosts();

/** An operator without a second factor, in a browser that is signed in. */
async function newOperator(): Promise<{ person: Person; browser: ThreeHostsBrowser; start: string }> {
  const person = await createUser();
  const start = await startCode(person);
  return { person, browser: await service.open().enterSite(person.id), start };
}

async function enrolled() {
  const operator = await newOperator();
  return { ...operator, ...(await enrol(operator.browser, operator.start)) };
}

const another = ({ person }: { person: Person }) => service.open().enterSite(person.id);

const status = async (browser: ThreeHostsBrowser, path = "/admin") => (await browser.get("web", path)).status;

describe("who is no operator", () => {
  /** A page without tokens and its own address. */
  const plain = (html: string) =>
    html
      .replaceAll(/(?:value|content|data-token)="[^"]{30,}"/g, "")
      .replaceAll(/(?:admin|nobody-here)[^"]*/g, "");

  test("gets the page of an unknown address, signed in or not", async () => {
    const stranger = await service.open().enterSite((await createUser()).id);
    for (const browser of [stranger, service.open()]) {
      const unknown = await browser.get("web", "/nobody-here");
      for (const path of ["/admin", ENTER, "/admin?cursor=1"]) {
        const found = await browser.get("web", path);
        expect(found.status).toBe(404);
        expect(plain(found.html)).toBe(plain(unknown.html));
        expect(Object.keys(found.headers).sort()).toEqual(
          expect.arrayContaining(Object.keys(unknown.headers).filter((name) => name !== "server-timing")),
        );
        expect(found.headers["cache-control"]).toBe(unknown.headers["cache-control"]);
        expect(found.headers["x-robots-tag"]).toBeUndefined();
      }
    }
  });

  test("gets it for forms too, whatever they hold", async () => {
    const stranger = await service.open().enterSite((await createUser()).id);
    for (const browser of [stranger, service.open()])
      for (const path of [ENTER, ENROL])
        expect((await browser.post("web", path, { form_token: "x", code: "123456" })).status).toBe(404);
  });

  test("gains nothing by a token of an operator", async () => {
    const { person } = await enrolled();
    const headers = { Authorization: `OAuth ${person.token}`, Accept: "text/html" };
    const reply = await service.ask("web", "/admin", { headers });
    expect(reply.status).toBe(404);
  });
});

describe("the first entry", () => {
  test("sets up an authenticator app and shows recovery codes, once", async () => {
    const { browser, start } = await newOperator();
    expect((await browser.get("web", "/admin")).location?.pathname).toBe(ENTER);
    const page = await browser.get("web", ENTER);
    const secret = secretIn(page.html);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(page.html).toContain(`?secret=${secret}&amp;issuer=`);
    expect(page.html).toContain("<svg");
    const sent = { ...fieldsIn(page.html, ENROL), start };
    const wrong = await browser.post("web", ENROL, { ...sent, code: "000000" });
    expect([wrong.status, secretIn(wrong.html)]).toEqual([422, secret]);
    expect(await status(browser)).toBe(303);
    const enrolment = await browser.post("web", ENROL, { ...sent, code: codeOf(secret) });
    expect([enrolment.status, recoveryIn(enrolment.html).length]).toEqual([200, 10]);
    expect(await status(browser)).toBe(200);
  });

  test("stores no secret that could be read", async () => {
    const { person, secret, recovery } = await enrolled();
    const [row] = await sql("select * from operators where user_id = $1", [person.id]);
    const stored = JSON.stringify(row);
    expect(Buffer.from((row as { secret_sealed: Buffer }).secret_sealed).toString("latin1")).not.toContain(
      secret,
    );
    for (const code of [secret, ...recovery]) expect(stored).not.toContain(code);
  });

  test("tells the account's owner by mail, when it is set up and when it is removed", async () => {
    const { person } = await enrolled();
    const address = `${person.username}@example.com`;
    const said = async (change: string) => (await mailTo(address, `Your second factor was ${change}`)).text;
    expect(await said("set up")).toContain("somebody knows your password");
    // The second time there is nothing to remove.
    for (let resets = 0; resets < 2; resets++) await operate("reset", "--username", person.username);
    // A cron finds what a command queued, after some seconds.
    const queued = await sql<{ id: string }>("select id from mails where user_id = $1", [person.id]);
    await deliver(
      "mails",
      queued.map(({ id }) => ({ body: { mail: Number(id) } })),
    );
    expect(await said("removed")).toContain("somebody knows your password");
    expect(await mailsTo(address)).toHaveLength(2);
  });

  test("counts once: a second tab finds that the first has done it", async () => {
    const { browser, person, start } = await newOperator();
    const thief = await another({ person });
    const { html } = await thief.get("web", ENTER);
    const late = { ...fieldsIn(html, ENROL), start, code: codeOf(secretIn(html)) };
    const { recovery } = await enrol(browser, start);
    expect(recovery).toHaveLength(10);
    const refused = await thief.post("web", ENROL, late);
    expect([refused.status, refused.location?.pathname]).toEqual([303, ENTER]);
    expect(await status(thief)).toBe(303);
  });

  test("takes no secret that was shown to somebody else", async () => {
    const [one, other] = [await newOperator(), await newOperator()];
    const { html } = await one.browser.get("web", ENTER);
    const { html: theirs } = await other.browser.get("web", ENTER);
    const mixed = { ...fieldsIn(theirs, ENROL), offer: fieldsIn(html, ENROL).offer ?? "" };
    const codes = { code: codeOf(secretIn(html)), start: other.start };
    expect((await other.browser.post("web", ENROL, { ...mixed, ...codes })).status).toBe(403);
    expect((await other.browser.post("web", ENROL, { ...mixed, offer: "x", ...codes })).status).toBe(403);
  });
});

describe("a code", () => {
  test("lets another browser in, once, and no older one after it", async () => {
    const operator = await enrolled();
    const [second, third] = [await another(operator), await another(operator)];
    expect((await enter(second, codeOf(operator.secret, -1))).status).toBe(422);
    const code = codeOf(operator.secret);
    const entered = await enter(second, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect([entered.status, entered.location?.pathname]).toEqual([303, "/admin"]);
    expect(await status(second)).toBe(200);
    expect((await enter(third, code)).status).toBe(422);
    expect(await status(third)).toBe(303);
  });

  test("lets one of two browsers in that send it at once", async () => {
    const operator = await enrolled();
    const browsers = [await another(operator), await another(operator)];
    const code = codeOf(operator.secret);
    const statuses = await Promise.all(browsers.map(async (browser) => (await enter(browser, code)).status));
    expect(statuses.sort()).toEqual([303, 422]);
  });

  test("cannot be guessed: the sixth attempt in 15 minutes is refused, even the right one", async () => {
    const operator = await enrolled();
    const thief = await another(operator);
    for (let n = 0; n < 5; n++) expect((await enter(thief, "000000")).status).toBe(422);
    const refused = await enter(thief, codeOf(operator.secret));
    expect([refused.status, Number(refused.headers["retry-after"]) > 600]).toEqual([429, true]);
    expect(await status(thief)).toBe(303);
    // The browser that is in stays in.
    expect(await status(operator.browser)).toBe(200);
  });

  test("in a forged form costs no attempt", async () => {
    const operator = await enrolled();
    const browser = await another(operator);
    for (let n = 0; n < 8; n++)
      expect((await browser.post("web", ENTER, { form_token: "forged", code: "000000" })).status).toBe(403);
    expect((await enter(browser, codeOf(operator.secret))).status).toBe(303);
  });

  test("of recovery lets in once, however it is written", async () => {
    const operator = await enrolled();
    const [first = ""] = operator.recovery;
    expect((await enter(await another(operator), first.toLowerCase())).status).toBe(303);
    const again = await enter(await another(operator), first);
    expect(again.status).toBe(422);
    expect(again.html).toContain("9 recovery codes are");
  });

  test("leads to pages of operators only", async () => {
    const operator = await enrolled();
    for (const next of ["//evil.example/admin", "https://evil.example", "/admin/../you", "/administrator"]) {
      const { html } = await (await another(operator)).get(
        "web",
        `${ENTER}?${new URLSearchParams({ next })}`,
      );
      expect(fieldsIn(html, ENTER).next).toBe("/admin");
    }
  });
});

describe("the entry ends", () => {
  test("after 12 hours", async () => {
    const { browser, person } = await enrolled();
    await sql("update operator_entries set passed_at = now() - interval '12 hours' where user_id = $1", [
      person.id,
    ]);
    expect((await browser.get("web", "/admin")).location?.search).toBe("?next=%2Fadmin");
  });

  test("with the role, at once", async () => {
    const { browser, person } = await enrolled();
    await operate("remove", "--username", person.username);
    expect(await status(browser)).toBe(404);
    await startCode(person);
    expect(secretIn((await browser.get("web", ENTER)).html)).not.toBe("");
  });

  test("with a new second factor, which the command line begins", async () => {
    const operator = await enrolled();
    for (let n = 0; n < 5; n++) await enter(await another(operator), "000000");
    const start = await startCode(operator.person, "reset");
    expect((await operator.browser.get("web", "/admin")).location?.pathname).toBe(ENTER);
    const { secret } = await enrol(operator.browser, start);
    expect((await enter(await another(operator), codeOf(operator.secret))).status).toBe(422);
    expect((await enter(await another(operator), codeOf(secret))).status).toBe(303);
  });

  test("with a new password, also where that was set", async () => {
    const person = await createUserWithPassword();
    const start = await startCode(person);
    const browser = await service.open().enterSite(person.id);
    const { secret } = await enrol(browser, start);
    const elsewhere = await another({ person });
    await sql("update operators set last_step = 0 where user_id = $1", [person.id]);
    expect((await enter(elsewhere, codeOf(secret))).status).toBe(303);
    const { html } = await browser.get("auth", "/settings");
    const passwords = { current_password: PASSWORD, new_password: "another horse battery" };
    const form = { ...fieldsIn(html, "/settings/password"), ...passwords };
    expect((await browser.post("auth", "/settings/password", form)).status).toBe(303);
    await browser.follow("web", "/session/new?next=/healthz");
    expect(await status(elsewhere)).toBe(404);
    for (const signedInAgain of [browser, await another({ person })])
      expect((await signedInAgain.get("web", "/admin")).location?.pathname).toBe(ENTER);
  });

  test("when the account is disabled", async () => {
    const { browser, person } = await enrolled();
    await sql("update users set disabled_at = now() where id = $1", [person.id]);
    expect(await status(browser)).toBe(404);
  });

  test("with the sign-in", async () => {
    const { browser } = await enrolled();
    await browser.submit("/discover", "/session/end");
    expect(await status(browser)).toBe(404);
  });
});

test("the pages are never cached, listed or framed", async () => {
  const operator = await enrolled();
  for (const path of ["/admin", ENTER]) {
    const { headers } = await operator.browser.get("web", path);
    expect(headers["cache-control"], path).toMatch(/no-store/);
  }
  const { headers, html, queries } = await operator.browser.get("web", "/admin");
  expect(headers).toMatchObject({
    "x-robots-tag": "noindex",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(html).toContain('<meta name="turbo-cache-control" content="no-cache"');
  expect(queries).toBe(1);
});

test("the command line lists operators and refuses unknown names", async () => {
  const { person } = await enrolled();
  const listed = (await operate("list")) as { operators: { id: number; recovery_codes: number }[] };
  expect(listed.operators.find(({ id }) => id === person.id)).toMatchObject({
    username: person.username,
    recovery_codes: 10,
    enrolled_at: expect.any(String),
  });
  await expect(operate("add", "--username", "nobody-at-all")).rejects.toThrow(
    "There is no user nobody-at-all",
  );
  await expect(operate("remove", "--username", (await createUser()).username)).rejects.toThrow(
    "There is no operator",
  );
});
