import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import type { Env } from "../../functions/lib/http/env.ts";
import { sendMail } from "../../functions/lib/services/mail.ts";
import { devPages } from "../../workers/local/front/dev-pages.ts";
import { type Mail, type NewMail, openMailbox } from "../../workers/local/mail/mailbox.ts";
import { linkUrls } from "../../workers/local/mail/page.ts";
import { mailPages } from "../../workers/local/mail/pages.ts";
import { mailReceiver } from "../../workers/local/mail/receiver.ts";
import { startMail } from "../../workers/local/mail/service.ts";
import { innerUrl } from "../../workers/local/worker/loopback.ts";
import { mountSmallDisk } from "../support/small-disk.ts";

const SECRET = "a secret/of this stack";
const directory = mkdtempSync(join(tmpdir(), "mail-"));
const mailbox = openMailbox(directory);
const keep = async (mail: NewMail) => {
  await mailbox.add(mail);
  return undefined;
};
const [pages, receive] = [mailPages(mailbox), mailReceiver(keep)];
const server = createServer(async (request, response) => {
  if (!pages(request, response) && !(await receive(request, response))) response.writeHead(404).end();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const exampleMail = (to: string, subject = "Hello") => ({
  to,
  from: "house@example.com",
  subject,
  text: `For ${to}`,
});
const mailsTo = async (to: string) =>
  (await (await fetch(`${url}/dev/mail.json?to=${encodeURIComponent(to)}`)).json()) as Mail[];
const post = (body: string) => fetch(`${url}/messages`, { method: "POST", body });

test("a posted mail is listed, newest first, and survives a restart", async () => {
  for (const subject of ["First", "Second"]) {
    expect((await post(JSON.stringify(exampleMail("ana@example.com", subject)))).status).toBe(201);
  }
  const listed = await mailsTo("ANA@example.com");
  expect(listed.map(({ subject }) => subject)).toEqual(["Second", "First"]);
  writeFileSync(join(directory, "half.json"), '{"to":');
  expect(openMailbox(directory).list()).toEqual(mailbox.list());
  expect(readdirSync(directory).some((name) => name.endsWith(".draft"))).toBe(false);
});

test("the filter by recipient excludes other mails", async () => {
  await mailbox.add(exampleMail("bob+1@example.com"));
  const listed = await mailsTo("bob+1@example.com");
  expect(listed).toHaveLength(1);
  expect(listed[0]).toMatchObject({ to: "bob+1@example.com", text: "For bob+1@example.com" });
});

test("simultaneous mails keep their order", async () => {
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, n) => mailbox.add(exampleMail("c@example.com", `${n}`))),
  );
  const listed = mailbox.list().filter(({ to }) => to === "c@example.com");
  expect(listed.map(({ id }) => id)).toEqual(added.map(({ id }) => id).reverse());
});

test("nothing in a mail becomes markup", async () => {
  const nasty = `<script>alert(1)</script>"'&`;
  const { id } = await mailbox.add({ to: nasty, from: nasty, subject: nasty, text: nasty, html: nasty });
  for (const path of ["/dev/mail", `/dev/mail/${id}`]) {
    const reply = await fetch(url + path);
    const html = await reply.text();
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  }
});

test("http addresses in the text become links, others do not", () => {
  expect(linkUrls("Go to (http://a.example/x?y=1&z=2).")).toBe(
    'Go to (<a href="http://a.example/x?y=1&amp;z=2" rel="noreferrer">http://a.example/x?y=1&amp;z=2</a>).',
  );
  expect(linkUrls('https://a.example/"onclick=x')).toContain('href="https://a.example/"');
  expect(linkUrls("javascript:alert(1) <b>")).toBe("javascript:alert(1) &lt;b&gt;");
});

test("a mail has its own page; unknown ids do not", async () => {
  const { id } = await mailbox.add({
    ...exampleMail("d@example.com"),
    text: "Confirm: http://127.0.0.1/confirm?code=a_b-c",
  });
  expect(await (await fetch(`${url}/dev/mail/${id}`)).text()).toContain(
    'href="http://127.0.0.1/confirm?code=a_b-c"',
  );
  for (const other of ["nope", "..%2f..%2fsecrets", "00000000000000-00000000"]) {
    expect((await fetch(`${url}/dev/mail/${other}`)).status).toBe(404);
  }
});

test("the receiver refuses malformed mails, and the pages accept only reads", async () => {
  expect((await post("{")).status).toBe(422);
  expect((await post(JSON.stringify({ to: "a@example.com" }))).status).toBe(422);
  expect(
    (await post(JSON.stringify({ ...exampleMail("a@example.com"), text: "x".repeat(2 ** 20) }))).status,
  ).toBe(413);
  expect((await fetch(`${url}/dev/mail`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${url}/dev/mailbox`)).status).toBe(404);
});

test("an address that no parser reads is nobody's page", async () => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.end("GET /// HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
});

test("a mail that a full disk cannot keep is said to wait, with the reason, and leaves no draft", async () => {
  const disk = await mountSmallDisk(1);
  const { port, stop } = await startMail(disk.inside, SECRET);
  disk.fill();
  const env = { MAIL_URL: innerUrl(port, SECRET), MAIL_FROM: "house@example.com" } as Env;
  const failed = await sendMail(env, 1, exampleMail("ana@example.com"));
  expect(failed).toEqual({ failure: expect.stringContaining("ENOSPC"), permanent: false });
  expect(readdirSync(disk.inside)).toEqual(["filler"]);
  await stop();
  await disk.unmount();
});

test("the mails are shown at all names of this machine, and at no other that leads here", async () => {
  const mail = await startMail(directory, SECRET);
  const shown = devPages([mail.pages]);
  const front = createServer((request, response) => {
    if (!shown(request, response)) response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(front, "listening");
  const { port } = front.address() as AddressInfo;
  const statusAt = async (host: string) => {
    const [reply] = await once(get({ port, path: "/dev/mail", headers: { Host: host } }), "response");
    return reply.resume().statusCode;
  };
  for (const host of ["localhost", `api.localhost:${port}`, "127.0.0.2:80", "[::1]"])
    expect([host, await statusAt(host)]).toEqual([host, 200]);
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a.b"])
    expect([host, await statusAt(host)]).toEqual([host, 404]);
  front.close();
  await mail.stop();
});
