import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSmtp, readSmtpUrl } from "../../workers/local/mail/smtp.ts";
import { startSmtpServer } from "../support/smtp-server.ts";

const PASSWORD = "p@ss:word/%";
let server: Awaited<ReturnType<typeof startSmtpServer>>;

beforeAll(async () => {
  server = await startSmtpServer(PASSWORD);
});
afterAll(() => server.stop());

const mail = {
  from: "House <house@example.com>",
  to: "ana@example.com",
  subject: "Grüße",
  text: "Hello\n.\nthere",
};

const withPassword = (password: string) =>
  new URL(server.url.href.replace("//", `//ana:${encodeURIComponent(password)}@`));

test("a mail server that wants a password gets the decoded one", async () => {
  expect(await openSmtp(withPassword(PASSWORD))({ ...mail, id: "17" })).toBeUndefined();
  await expect.poll(() => server.to("ana@example.com")).toHaveLength(1);
  const [taken] = server.to("ana@example.com");
  expect(taken?.from).toBe("house@example.com");
  expect(taken?.text).toContain("Message-ID: <17@example.com>");
  expect(taken?.text.replaceAll("\r\n", "\n")).toContain("Hello\n.\nthere");
});

test("a wrong password and a sender that is not allowed are no fault of the mail", async () => {
  const wrong = await openSmtp(withPassword("wrong"))(mail);
  expect(wrong).toMatchObject({ permanent: false, error: expect.stringMatching(/^Invalid login: 535/) });
  const without = await openSmtp(server.url)(mail);
  expect(without).toMatchObject({ permanent: false, error: expect.stringContaining("530") });
});

test("a mailbox that does not exist is a permanent refusal", async () => {
  const refused = await openSmtp(withPassword(PASSWORD))({ ...mail, to: "refused-ana@example.com" });
  expect(refused).toMatchObject({ permanent: true, error: expect.stringContaining("no such mailbox") });
});

test("a password does not leave the machine without TLS", async () => {
  const heard: string[] = [];
  const plain = createServer((socket) => {
    socket.write("220 ready\r\n");
    socket.on("data", (line) => {
      heard.push(String(line).trim());
      socket.write(/^EHLO/.test(String(line)) ? "250-here\r\n250 AUTH PLAIN\r\n" : "502 unknown\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(plain, "listening");
  // Leads here, but is no name of this machine.
  const far = new URL(`smtp://ana:secret@0.0.0.0:${(plain.address() as AddressInfo).port}`);
  expect(await openSmtp(far)(mail)).toMatchObject({
    permanent: false,
    error: expect.stringContaining("STARTTLS"),
  });
  expect(heard.join()).not.toMatch(/AUTH|secret/);
  plain.close();
});

test("a setting that is no address of a mail server is refused with the reason", () => {
  const problems: string[] = [];
  expect(readSmtpUrl("smtps://mail.example.com", problems)?.protocol).toBe("smtps:");
  expect(readSmtpUrl("", problems)).toBeUndefined();
  expect(problems).toEqual([]);
  for (const text of ["mail.example.com", "http://a", "smtp://", "smtp://a/?tls=no", "smtp://a/b"])
    expect(readSmtpUrl(text, problems), text).toBeUndefined();
  expect(problems.map((problem) => problem.slice(0, 13))).toEqual(Array(5).fill("SMTP_URL must"));
});
