import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { mailCommands } from "../../workers/admin/mail-commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { Browser, linkIn, PASSWORD, uniqueName } from "../support/browser.ts";
import { startSmtpServer } from "../support/smtp-server.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let server: Awaited<ReturnType<typeof startSmtpServer>>;
let faulty: FaultyStack;

beforeAll(async () => {
  server = await startSmtpServer();
  faulty = await startFaultyStack({}, 0, { smtp: server.url });
});
afterAll(async () => {
  await faulty?.stop();
  await server?.stop();
});

async function admin(...args: string[]) {
  const program = [join(PROJECT_DIR, "workers/admin/main.ts"), ...args, "--json"];
  const env = { ...process.env, DATA_DIR: faulty.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, program, { env, cwd: PROJECT_DIR });
  return JSON.parse(stdout);
}

/** Runs a command of the program in this process, because a start costs more than the command. */
const operate = async (command: string, id: string) =>
  mailCommands[command]?.(stackTarget(faulty.stack), readArguments(["--id", id]));

const newBrowser = () => new Browser(undefined, faulty.stack.urls.api);

interface Row {
  id: string;
  kind: string;
  state: string;
  tries: number;
  failure: string | null;
  /** No attempt is under way. */
  settled: boolean;
}

const rowsOf = (email: string) =>
  faulty.auth.sql<Row>(
    "select id, kind, state, tries, failure, attempt is null as settled from mails where recipient = $1 order by id",
    [email],
  );

/** Makes waiting mails due, as if their time had passed, and runs the cron. */
async function runDue(email: string, cron = "* * * * *"): Promise<void> {
  await faulty.auth.sql(
    "update mails set next_attempt_at = now() - interval '1 minute', dispatched_at = null where recipient = $1 and state = 'waiting'",
    [email],
  );
  await faulty.stack.worker.scheduled({ cron });
}

/** Signs up with an address whose first word tells the mail server what to answer. */
async function signUp(word: string) {
  const browser = newBrowser();
  const username = uniqueName();
  const email = `${word}-${username}@example.com`;
  const reply = await browser.submit("/signup", "/signup", { username, email, password: PASSWORD });
  expect(reply.status).toBe(303);
  return { browser, username, email };
}

const forget = (email: string) => newBrowser().submit("/forgot", "/forgot", { email });

test("a mail goes to the mail server at once, its link works, and nothing of it stays", async () => {
  const { email } = await signUp("taken");
  await expect.poll(() => server.to(email)).toHaveLength(1);
  const [mail] = server.to(email);
  expect(mail?.text).toMatch(/^Subject: Confirm your e-mail address\r?$/m);
  expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  const link = linkIn({ to: email, subject: "", text: unfolded(mail?.text ?? "") });
  expect((await newBrowser().submit(link, "/confirm")).status).toBe(200);
  await expect.poll(() => rowsOf(email)).toEqual([]);
});

/** The text without the line breaks of quoted-printable. */
const unfolded = (text: string) => text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");

test("a greylisted mail is sent again later, and the server recognizes it", async () => {
  const { email } = await signUp("greylisted");
  await expect
    .poll(() => rowsOf(email))
    .toMatchObject([
      {
        state: "waiting",
        tries: 1,
        failure: expect.stringContaining("451 4.7.1 Greylisted, come back later"),
      },
    ]);
  expect(server.to(email)).toEqual([]);
  // The cron of an environment whose database may sleep does the work of the others.
  await runDue(email, "*/30 * * * *");
  await expect.poll(() => server.to(email)).toHaveLength(1);
  await expect.poll(() => rowsOf(email)).toEqual([]);
});

test("a mail that is refused for good is not repeated and stays with the server's words", async () => {
  const { email } = await signUp("refused");
  await expect
    .poll(() => rowsOf(email))
    .toMatchObject([
      { state: "failed", tries: 1, failure: expect.stringContaining("there is no such mailbox") },
    ]);
  await runDue(email);
  expect(await rowsOf(email)).toMatchObject([{ state: "failed", tries: 1 }]);
});

test("an address that refuses its mail is told so in the settings, and the operator reads why", async () => {
  const { browser, email } = await signUp("refused");
  await expect.poll(() => rowsOf(email)).toMatchObject([{ state: "failed" }]);
  expect((await browser.get("/settings")).html).toContain("Our mail to this address could not be delivered.");
  const { mails } = await admin("mail", "list", "--state", "failed");
  const listed = mails.find(({ recipient }: { recipient: string }) => recipient === email);
  expect(listed).toMatchObject({ kind: "confirm", tries: 1, failure: expect.stringContaining("550 5.1.1") });
  expect(JSON.stringify(mails)).not.toContain("mt_");
  expect(await operate("mail retry", String(listed.id))).toEqual({ due: [listed.id] });
  await runDue(email);
  await expect.poll(() => rowsOf(email)).toMatchObject([{ state: "failed", tries: 1 }]);
  expect(await operate("mail drop", String(listed.id))).toEqual({ dropped: 1 });
  await expect(operate("mail drop", String(listed.id))).rejects.toThrow("There is no mail");
  await expect(operate("mail retry", "x")).rejects.toThrow("must be an id");
  expect(await rowsOf(email)).toEqual([]);
});

test("a mail to a full mailbox is a dead letter after ten attempts", async () => {
  const { email } = await signUp("full");
  for (let tries = 1; tries <= 10; tries++) {
    await expect
      .poll(() => rowsOf(email))
      .toMatchObject([{ tries, settled: true, failure: expect.stringContaining("452") }]);
    await runDue(email);
  }
  expect(await rowsOf(email)).toMatchObject([{ state: "failed", tries: 10 }]);
});

test("a crash between sending and noting sends the mail once more, under the same id", async () => {
  faulty.database.meet(String.raw`delete from \"mails\"`);
  faulty.database.cutStatements(1);
  const { email } = await signUp("twice");
  await expect.poll(() => server.to(email)).toHaveLength(1);
  // The row looks the same before the crash.
  await expect.poll(() => faulty.database.left()).toBe(0);
  await expect.poll(() => rowsOf(email)).toMatchObject([{ state: "waiting", tries: 1, failure: null }]);
  await faulty.database.up();
  await runDue(email);
  await expect.poll(() => server.to(email)).toHaveLength(2);
  const ids = server.to(email).map(({ text }) => /^Message-ID: (\S+)/m.exec(text)?.[1]);
  expect(ids[0]).toMatch(/^<\d+@soundpost\.example>$/);
  expect(ids[0]).toBe(ids[1]);
  await expect.poll(() => rowsOf(email)).toEqual([]);
});

test("mails outlast a dead server; one whose link ended meanwhile is never sent", async () => {
  const members = {
    waiting: await signUp("a"),
    changed: await signUp("b"),
    suspended: await signUp("c"),
    left: await signUp("d"),
  };
  for (const { email } of Object.values(members)) await expect.poll(() => server.to(email)).toHaveLength(1);
  await server.stop();
  for (const { email } of Object.values(members)) {
    await forget(email);
    await expect
      .poll(() => rowsOf(email))
      .toMatchObject([{ kind: "reset", state: "waiting", failure: expect.stringContaining("ECONNREFUSED") }]);
  }
  const fields = { current_password: PASSWORD, new_password: "another horse battery" };
  await members.changed.browser.submit("/settings", "/settings/password", fields);
  await members.left.browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  await faulty.auth.sql("update users set disabled_at = now() where permalink = $1", [
    members.suspended.username,
  ]);
  await server.start();
  for (const { email } of Object.values(members)) await runDue(email);
  for (const { email } of Object.values(members)) await expect.poll(() => rowsOf(email)).toEqual([]);
  const subjects = (email: string) =>
    server.to(email).map(({ text }) => /^Subject: (.*?)\r?$/m.exec(text)?.[1]);
  expect(subjects(members.waiting.email)).toEqual(["Confirm your e-mail address", "Choose a new password"]);
  expect(subjects(members.changed.email)).toEqual([
    "Confirm your e-mail address",
    "Your password was changed",
  ]);
  expect(subjects(members.suspended.email)).toHaveLength(1);
  expect(subjects(members.left.email)).toHaveLength(1);
});

test("asking again replaces a mail that still waits; an expired link makes a dead letter", async () => {
  const { email } = await signUp("again");
  await expect.poll(() => server.to(email)).toHaveLength(1);
  await server.stop();
  await forget(email);
  // A mail whose attempt is under way cannot be taken back.
  await expect.poll(() => rowsOf(email)).toMatchObject([{ tries: 1, settled: true }]);
  const [first] = await rowsOf(email);
  await forget(email);
  await expect.poll(() => rowsOf(email)).toMatchObject([{ tries: 1, settled: true, state: "waiting" }]);
  expect((await rowsOf(email))[0]?.id).not.toBe(first?.id);
  await faulty.auth.sql("update mails set expires_at = now() where recipient = $1", [email]);
  await runDue(email);
  await server.start();
  await expect
    .poll(() => rowsOf(email))
    .toMatchObject([
      { state: "failed", failure: expect.stringMatching(/^the link in it has expired: .*ECONNREFUSED/) },
    ]);
});
