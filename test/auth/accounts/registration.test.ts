import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hiddenFields, PASSWORD, uniqueName } from "../../support/browser.ts";
import { authorizePath, createClientApp } from "../../support/consent.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { sql, stack } from "../../support/stack.ts";
import { browserAt, codeOf, idOf, invite, pathOf, signUpAt } from "./registration.support.ts";

type Worker = Awaited<ReturnType<typeof startSecondWorker>>;

const SETTINGS = {
  open: { REGISTRATION: "open" },
  confirm: { REGISTRATION: "confirm" },
  invite: { REGISTRATION: "invite", REGISTRATION_CONTACT: "hello@example.com" },
  closed: { REGISTRATION: "closed", REGISTRATION_CONTACT: "https://example.com/join" },
};
type Mode = keyof typeof SETTINGS;

let workers: Record<Mode, Worker>;

beforeAll(async () => {
  const started = await Promise.all(
    Object.values(SETTINGS).map((settings) => startSecondWorker(() => settings)),
  );
  workers = Object.fromEntries(
    Object.keys(SETTINGS).map((mode, at) => [mode, started[at]]),
  ) as typeof workers;
});
afterAll(() => Promise.all(Object.values(workers).map((worker) => worker.stop())));

const account = async (id: number | undefined) =>
  (
    await sql(
      "select awaits_confirmation as awaits, invitation_id::float8 as invitation from accounts where user_id = $1",
      [id],
    )
  )[0];

describe("open and confirm", () => {
  test("let everybody in, and only confirm holds their posts", async () => {
    const [open, confirm] = [await signUpAt(workers.open), await signUpAt(workers.confirm)];
    expect([open.reply.status, confirm.reply.status]).toEqual([303, 303]);
    expect(await account(open.id)).toEqual({ awaits: false, invitation: null });
    expect(await account(confirm.id)).toEqual({ awaits: true, invitation: null });
  });

  test("end the session that the browser had", async () => {
    const { browser, id } = await signUpAt(workers.open);
    const username = uniqueName();
    const given = { username, email: `${username}@example.com`, password: PASSWORD };
    expect((await browser.submit("/signup", "/signup", given)).status).toBe(303);
    const live = "select from site_sessions where user_id = $1 and revoked_at is null";
    expect([await sql(live, [id]), (await sql(live, [await idOf(username)])).length]).toEqual([[], 1]);
  });

  test("need no invitation, and take no use from one that somebody brings", async () => {
    const made = await invite();
    for (const mode of ["open", "confirm"] as const) {
      const came = await signUpAt(workers[mode], { invitation: codeOf(made) }, pathOf(made));
      expect([came.reply.status, await account(came.id)]).toMatchObject([303, { invitation: null }]);
    }
  });
});

describe("invite", () => {
  test("lets in whoever has a link, once, and the operators see by which they came", async () => {
    const made = await invite("--note", "For the choir");
    const shown = await browserAt(workers.invite).get(pathOf(made));
    expect([shown.status, shown.html.includes(`value="${codeOf(made)}"`)]).toEqual([200, true]);
    const came = await signUpAt(workers.invite, { invitation: codeOf(made) }, pathOf(made));
    expect([came.reply.status, await account(came.id)]).toEqual([303, { awaits: true, invitation: made.id }]);
    const user = await operate("user show", "--user", String(came.id));
    expect(user.invitation).toEqual({ id: made.id, note: "For the choir" });
    const second = await signUpAt(workers.invite, { invitation: codeOf(made) });
    expect([second.reply.status, second.id]).toEqual([422, undefined]);
    expect(second.reply.html).toContain("Invitation was used as often as it may be; ask for another");
  });

  test("takes the whole link in place of the code", async () => {
    const made = await invite();
    const came = await signUpAt(workers.invite, { invitation: ` ${made.link} ` });
    expect(came.reply.status).toBe(303);
  });

  test.each([
    ["none", "is not known here"],
    ["a wrong one", "is not known here"],
    ["one that expired", "has expired; ask for another"],
    ["one that was ended", "was ended; ask for another"],
    ["its hash", "is not known here"],
  ])("422: refuses %s, and makes nobody", async (kind, words) => {
    const made = await invite();
    if (kind === "one that expired")
      await sql("update invitations set expires_at = now() where id = $1", [made.id]);
    if (kind === "one that was ended") await operate("invitation end", "--id", String(made.id));
    const [row] = await sql<{ code_hash: string }>("select code_hash from invitations where id = $1", [
      made.id,
    ]);
    const sent: Record<string, string> = {
      none: "",
      "a wrong one": "iv_x",
      "its hash": row?.code_hash ?? "",
    };
    const invitation = sent[kind] ?? codeOf(made);
    const came = await signUpAt(workers.invite, { invitation });
    expect([came.reply.status, came.id]).toEqual([422, undefined]);
    expect(came.reply.html).toContain(`Invitation ${words}`);
    if (kind.startsWith("one that")) {
      const page = await browserAt(workers.invite).get(pathOf(made));
      expect([page.status, page.html.includes(words)]).toEqual([422, true]);
    }
    expect(await sql("select used from invitations where id = $1", [made.id])).toEqual([{ used: 0 }]);
  });

  test("a sign-up that fails for another reason takes no use", async () => {
    const made = await invite();
    const taken = await signUpAt(workers.open);
    const wrongs: Record<string, string>[] = [
      { email: taken.email },
      { username: taken.username },
      { password: "short" },
    ];
    for (const wrong of wrongs)
      expect((await signUpAt(workers.invite, { invitation: codeOf(made), ...wrong })).reply.status).toBe(422);
    expect(await sql("select used from invitations where id = $1", [made.id])).toEqual([{ used: 0 }]);
  });

  test("an invitation for three lets in exactly three of eight who come at once", async () => {
    const made = await invite("--uses", "3");
    const came = await Promise.all(
      Array.from({ length: 8 }, () => signUpAt(workers.invite, { invitation: codeOf(made) })),
    );
    expect(came.filter(({ reply }) => reply.status === 303)).toHaveLength(3);
    expect(came.filter(({ reply }) => reply.status === 422)).toHaveLength(5);
    expect(came.filter(({ id }) => id !== undefined)).toHaveLength(3);
    expect(await sql("select used from invitations where id = $1", [made.id])).toEqual([{ used: 3 }]);
  });

  test.each(["ended_at", "expires_at"])(
    "422: one that ends while a sign-up is under way lets nobody in (%s)",
    async (column) => {
      const made = await invite();
      const end = `update invitations set ${column} = now() where id = $1`;
      const signUp = () => signUpAt(workers.invite, { invitation: codeOf(made) });
      const came = await askDuring(end, [made.id], signUp);
      expect([came.reply.status, came.id]).toEqual([422, undefined]);
      expect(came.reply.html).toContain("Invitation has been used up or ended in the meantime");
    },
  );

  test("stands in for the confirmation where no mail leaves the server", async () => {
    const worker = await startSecondWorker(() => ({ ...SETTINGS.invite, UNMAILED: "on" }));
    const came = await signUpAt(worker, { invitation: codeOf(await invite()) });
    expect(await account(came.id)).toMatchObject({ awaits: false });
    await worker.stop();
  });
});

describe("closed", () => {
  /** A form that was shown while sign-up was open still. */
  async function sendOldForm(worker: Worker) {
    const before = browserAt(workers.open);
    const fields = hiddenFields((await before.get("/signup")).html, "/signup");
    const browser = browserAt(worker);
    for (const [name, value] of before.cookies) browser.cookies.set(name, value);
    const username = uniqueName();
    const given = { username, email: `${username}@example.com`, password: PASSWORD };
    return { reply: await browser.post("/signup", { ...fields, ...given }), id: await idOf(username) };
  }

  test("403: lets nobody in, not even with an invitation or a form that was shown before", async () => {
    const made = await invite();
    for (const path of ["/signup", pathOf(made)]) {
      const page = await browserAt(workers.closed).get(path);
      expect([page.status, page.html.includes("Sign-up is closed")]).toEqual([403, true]);
      expect(page.html).not.toContain('name="username"');
    }
    const sent = await sendOldForm(workers.closed);
    expect([sent.reply.status, sent.id]).toEqual([403, undefined]);
  });

  test("operators make accounts all the same", async () => {
    const username = uniqueName();
    const given = ["--username", username, "--email", `${username}@example.com`, "--password", PASSWORD];
    const { id } = await operate("user create", ...given);
    expect(await idOf(username)).toBe(id);
  });

  test.each([
    ["SIGN_UPS_PER_HOUR=0", { SIGN_UPS_PER_HOUR: "0" }],
    ["a REGISTRATION that nobody can read", { REGISTRATION: "opne" }],
  ])("%s means closed, in the same words", async (_name, settings) => {
    const worker = await startSecondWorker(() => settings);
    const page = await browserAt(worker).get("/signup");
    expect([page.status, page.html.includes("Sign-up is closed")]).toEqual([403, true]);
    const sent = await sendOldForm(worker);
    expect([sent.reply.status, sent.id]).toEqual([403, undefined]);
    expect(sent.reply.html).not.toContain("Too many");
    await worker.stop();
  });
});

test("a deployment without the setting asks for a confirmed address", async () => {
  const worker = await startSecondWorker(() => ({ REGISTRATION: "" }));
  expect(await account((await signUpAt(worker)).id)).toMatchObject({ awaits: true });
  await worker.stop();
});

/** The words of pages, and whether they lead to the sign-up. */
const TOLD: Record<Mode, { words: string; offers: boolean; signIn: string | undefined }> = {
  open: { words: "Everybody may sign up.", offers: true, signIn: "Create an account" },
  confirm: { words: "with an e-mail address that they confirm", offers: true, signIn: "Create an account" },
  invite: {
    words: 'is by invitation. Ask <a href="mailto:hello@example.com">the people who run it</a> for one.',
    offers: false,
    signIn: "I have an invitation",
  },
  closed: {
    words:
      'Sign-up is closed. Ask <a href="https://example.com/join">the people who run it</a> for an account.',
    offers: false,
    signIn: undefined,
  },
};

test.each(Object.keys(SETTINGS) as Mode[])(
  "%s is told on the pages, and no button ends at a wall",
  async (mode) => {
    const { words, offers, signIn } = TOLD[mode];
    const browser = browserAt(workers[mode]);
    const [landing, status, search] = [
      await browser.get("/"),
      await browser.get("/status"),
      await browser.get("/search?q=x"),
    ];
    expect(status.html).toContain(words);
    for (const { html } of [landing, status, search]) expect(html.includes("sign_up=true")).toBe(offers);
    if (!offers) expect(landing.html).toContain(words);
    // An app leads here: the page is the same.
    const asked = await browser.get(authorizePath(await createClientApp()));
    const shown = await browser.get(asked.headers.location ?? "");
    expect(shown.status).toBe(200);
    const [, link, text] = /<a href="(\/signup[^"]*)">([^<]*)</.exec(shown.html) ?? [];
    expect(text).toBe(signIn);
    if (!offers) expect(shown.html).toContain(words);
    if (link) expect((await browser.get(link.replaceAll("&amp;", "&"))).status).toBe(200);
  },
);

test("with an invitation, whoever comes from an app goes back to it", async () => {
  const made = await invite();
  const browser = browserAt(workers.invite);
  const asked = await browser.get(authorizePath(await createClientApp()));
  const shown = await browser.get(asked.headers.location ?? "");
  const [, link = ""] = /<a href="(\/signup[^"]*)"/.exec(shown.html) ?? [];
  const username = uniqueName();
  const given = { username, email: `${username}@example.com`, password: PASSWORD };
  const came = await browser.submit(link.replaceAll("&amp;", "&"), "/signup", {
    ...given,
    invitation: codeOf(made),
  });
  expect([came.status, came.headers.location]).toEqual([
    303,
    asked.headers.location && expect.stringMatching(/^\/authorize\?/),
  ]);
  expect((await browser.get(came.headers.location ?? "")).html).toContain("<title>Allow ");
});

test("the code of an invitation is in no row and no log", async () => {
  const made = await invite("--note", "Secret?");
  const rows = await sql<{ text: string }>(
    "select i::text || coalesce((select string_agg(l::text, ' ') from audit_log l where l.target_id = i.id), '') as text from invitations i where i.id = $1",
    [made.id],
  );
  expect(rows[0]?.text).toContain("Secret?");
  expect(rows[0]?.text).not.toContain(codeOf(made));
  expect(made.link).toBe(`${stack.urls.auth}/signup?invitation=${codeOf(made)}`);
});
