import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inheritedFrom } from "../../workers/local/stack/inherited.ts";
import { idleLines, readSettings, WrongSettings } from "../../workers/local/stack/settings.ts";
import { publicBindings } from "../../workers/local/worker/bindings.ts";

const DATA_DIR = mkdtempSync(join(tmpdir(), "soundpost-settings-"));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

const read = (given: Record<string, string>) => readSettings({ DATA_DIR, ...given });

function problems(given: Record<string, string>): string[] {
  try {
    read(given);
    return [];
  } catch (error) {
    if (error instanceof WrongSettings) return error.lines;
    throw error;
  }
}

const HTTPS = { API_URL: "https://api.sound.test", OBJECTS_URL: "https://objects.sound.test" };

test("without settings the stack serves this machine alone, for development", () => {
  const { port, server, env } = read({});
  expect([port, server.bind, server.isPublic, server.behindProxy]).toEqual([
    8787,
    ["127.0.0.1", "::1"],
    false,
    false,
  ]);
  expect(new Set([server.urls.api, server.urls.auth, server.urls.web])).toEqual(
    new Set(["http://localhost:8787"]),
  );
  expect(server.urls.objects).toBe("http://localhost:8789");
  expect(env).toEqual({ OLDER_BEHAVIOUR: "on", APPS_NEED_PLAN: "off", PROOF_OF_WORK: "off" });
});

test("an https address makes the server public: what deployments close is closed", () => {
  const { server, env } = read({ ...HTTPS, WEB_URL: "https://sound.test/" });
  expect([server.isPublic, server.behindProxy]).toEqual([true, true]);
  expect(server.urls).toMatchObject({
    api: "https://api.sound.test",
    auth: "https://api.sound.test",
    web: "https://sound.test",
    objects: "https://objects.sound.test",
  });
  expect(env).toEqual({
    OLDER_BEHAVIOUR: "off",
    APPS_NEED_PLAN: "on",
    PROOF_OF_WORK: "on",
    CHECK_REPLIES: "off",
  });
});

test("who may sign up is one of four words, and a public server without mail cannot ask for confirmations", () => {
  const mail = { SMTP_URL: "smtp://localhost:25" };
  for (const REGISTRATION of ["open", "confirm", "invite", "closed"])
    expect(read({ ...HTTPS, ...mail, REGISTRATION }).env.REGISTRATION).toBe(REGISTRATION);
  expect(problems({ ...HTTPS, ...mail, REGISTRATION: "opne" })).toEqual([
    'REGISTRATION must be open, confirm, invite or closed, not "opne"',
  ]);
  expect(problems({ ...HTTPS, REGISTRATION: "confirm" })).toEqual([
    "SMTP_URL is missing: REGISTRATION=confirm sends mails. REGISTRATION=invite works without",
  ]);
  // Mails stay on this machine, where its own user reads them.
  expect(read({ REGISTRATION: "confirm" }).env.REGISTRATION).toBe("confirm");
});

test("a public server is by invitation unless it says otherwise, and tells the Worker if no mail leaves it", () => {
  const { urls } = read(HTTPS).server;
  expect(publicBindings(urls, true)).toMatchObject({ REGISTRATION: "invite" });
  expect(publicBindings(urls, true)).not.toHaveProperty("UNMAILED");
  expect(publicBindings(urls, false)).toMatchObject({ REGISTRATION: "invite", UNMAILED: "on" });
});

test("a server that others reach without TLS trusts no proxy, and closes the developers' pages too", () => {
  const { server } = read({ BIND: "0.0.0.0", API_URL: "http://10.0.0.7:8787" });
  expect([server.isPublic, server.behindProxy, server.urls.objects]).toEqual([
    true,
    false,
    "http://10.0.0.7:8789",
  ]);
});

test("an address that is not this machine's own makes the server public, though a proxy without TLS brings it", () => {
  const { server, env } = read({ API_URL: "http://music.example.lan" });
  expect([server.isPublic, server.behindProxy, env.OLDER_BEHAVIOUR]).toEqual([true, false, "off"]);
  expect(read({ API_URL: "http://127.0.0.1:8787" }).server.isPublic).toBe(false);
});

test("the file in DATA_DIR holds settings, and the environment's go before them", () => {
  writeFileSync(join(DATA_DIR, "settings.env"), "# ours\nPORT=9000\nSITE_NAME='Radio Ana'\n");
  expect(read({}).port).toBe(9000);
  expect(read({ PORT: "9100" })).toMatchObject({ port: 9100, env: { SITE_NAME: "Radio Ana" } });
  rmSync(join(DATA_DIR, "settings.env"));
});

test("a file that cannot be read is named, with the reason", () => {
  const dataDir = mkdtempSync(join(DATA_DIR, "unreadable-"));
  const file = join(dataDir, "settings.env");
  mkdirSync(file);
  expect(problems({ DATA_DIR: dataDir })).toEqual([`${file} cannot be used: it is a directory. Mend that`]);
});

test("a line of the file that no setting has is named, and every setting is known", () => {
  const dataDir = mkdtempSync(join(DATA_DIR, "idle-"));
  const idle = (lines: string) => {
    writeFileSync(join(dataDir, "settings.env"), lines);
    return idleLines({ DATA_DIR: dataDir, PROT: "1" })
      .map((line) => line.split(" ")[0])
      .sort();
  };
  expect(idle("PROT=9000\nSITE_NAME=Ana\nDATA_DIR=/srv\n")).toEqual(["DATA_DIR", "PROT"]);
  const folder = join(import.meta.dirname, "../../workers/local/stack");
  const read = ["settings.ts", "own-parts.ts", "worker-variables.ts"].flatMap((file) =>
    Array.from(
      readFileSync(join(folder, file), "utf8").matchAll(/\bgiven\.([A-Z\d_]+)/g),
      ([, name]) => name,
    ),
  );
  const documented = Array.from(
    readFileSync(join(folder, "../settings.md"), "utf8").matchAll(/^\| (`[A-Z\d_]+`.*?) \|/gm),
    ([, cell = ""]) => Array.from(cell.matchAll(/\w+/g), ([name]) => name),
  ).flat();
  expect(read).toContain("S3_REGION");
  expect(documented).toContain("REPORTS_TO");
  expect(idle([...read, ...documented].map((name) => `${name}=x\n`).join(""))).toEqual(["DATA_DIR"]);
});

test("every wrong setting is named at once, with what to write instead, and no secret", () => {
  expect(
    problems({
      PORT: "70000",
      BIND: "everywhere",
      OLDER_BEHAVIOUR: "Off!",
      LIKES_PER_HOUR: "many",
      MAIL_FROM: "rubbish",
      URN_NAMESPACE: "a b:c",
      SANDBOX: "yes",
      LOG: "loud",
      FORM_MEMORY_MIB: "0",
      TRANSCODER_SLOTS: "-1",
      CONNECTION_SERVICES: "{secret",
    }),
  ).toEqual([
    'PORT must be a whole number up to 65533, not "70000"',
    'BIND must be addresses of this machine, such as 0.0.0.0, not "everywhere"',
    'MAIL_FROM must be a mailbox, such as Radio Ana <noreply@example.com>, not "rubbish"',
    'URN_NAMESPACE must be a word of small letters, digits and hyphens, not "a b:c"',
    'FORM_MEMORY_MIB must be a number of mebibytes, 10 at least, not "0"',
    'TRANSCODER_SLOTS must be a number of encodes, such as 4, not "-1"',
    'LOG must be verbose, or unset, not "loud"',
    "CONNECTION_SERVICES must be a JSON object by service, such as {}",
    'OLDER_BEHAVIOUR must be on or off, not "Off!"',
    'SANDBOX must be on or off, not "yes"',
    'LIKES_PER_HOUR must be a number or off, not "many"',
  ]);
});

test("a service of CONNECTION_SERVICES that is set wrongly is refused, with its fields and without their values", () => {
  const twitter = {
    client_id: "",
    client_secret: "a-secret-of-ours",
    token_endpoint: "http://a-secret.test/token",
    profiles: [{ endpoint: "https://social.test/me", service: "a-secret" }],
  };
  const set = (services: object) => problems({ CONNECTION_SERVICES: JSON.stringify(services) });
  expect(set({ twitter })).toEqual([
    "CONNECTION_SERVICES twitter.client_id must not be empty",
    "CONNECTION_SERVICES twitter.authorization_endpoint is missing",
    "CONNECTION_SERVICES twitter.token_endpoint must be an https address",
    "CONNECTION_SERVICES twitter.profiles.0.service must be one of facebook_profile, facebook_page, twitter, myspace",
  ]);
  expect(set({ twiter: null, myspace: "a-secret" })).toEqual([
    "CONNECTION_SERVICES twiter must be one of facebook_profile, facebook_page, twitter, myspace",
    "CONNECTION_SERVICES myspace must be an object",
  ]);
});

test.each<Record<string, string>>([
  { MAIL_FROM: "noreply@sound.test" },
  { MAIL_FROM: "Radio Ana <noreply@sound.test>" },
  { URN_NAMESPACE: "sound-post2" },
  { CONNECTION_SERVICES: "{}" },
  { SANDBOX: "on" },
])("taken: %j", (given) => {
  expect(read(given).env).toMatchObject(given);
});

test.each([
  ["a path", { ...HTTPS, WEB_URL: "https://sound.test/music" }, /^WEB_URL must be an address without a path/],
  ["no scheme", { API_URL: "api.sound.test" }, /^API_URL must be an address/],
  [
    "http beside https",
    { ...HTTPS, AUTH_URL: "http://auth.sound.test" },
    /^AUTH_URL and API_URL must both begin/,
  ],
  ["a site without an API", { WEB_URL: "https://sound.test" }, /^WEB_URL is set, but API_URL is not/],
  ["storage without an address", { API_URL: "https://api.sound.test" }, /^OBJECTS_URL is missing/],
  ["a pooled database", { DATABASE_URL: "postgres://a@x-pooler.neon.tech/b" }, /^DATABASE_URL leads through/],
  ["a database of no kind", { DATABASE_URL: "mysql://a@b/c" }, /^DATABASE_URL must be an address/],
  ["a storage without a key", { S3_ENDPOINT: "https://s3.test", S3_ACCESS_KEY_ID: "a" }, /^S3_SECRET_/],
  ["older clients without a host", { ...HTTPS, OLDER_BEHAVIOUR: "on" }, /^OLDER_API_URL is missing/],
])("refused: %s", (_what, given, line) => {
  expect(problems(given)).toEqual([expect.stringMatching(line)]);
});

test("the stack's programs inherit no setting that holds a password or key", () => {
  const inherited = { PATH: "/bin", TRANSCODER_SLOTS: "2", S3_REGION: "auto", FFMPEG_PATH: "/bin/ffmpeg" };
  const withheld = [
    "MIGRATOR_DATABASE_URL",
    "READ_DATABASE_URL",
    "SMTP_URL",
    "PGPASSWORD",
    ...(/^required = \[([^\]]*)\]/m.exec(readFileSync("wrangler.toml", "utf8"))?.[1]?.match(/\w+/g) ?? []),
  ];
  const given = { ...inherited, ...Object.fromEntries(withheld.map((name) => [name, "hidden"])) };
  expect(inheritedFrom(given)).toEqual(inherited);
});

test("a public server checks that people sign up, and domains and keys of the check are read", () => {
  expect(read({}).env.PROOF_OF_WORK).toBe("off");
  expect(read(HTTPS).env.PROOF_OF_WORK).toBe("on");
  expect(read({ ...HTTPS, PROOF_OF_WORK: "off" }).env.PROOF_OF_WORK).toBe("off");
  const lists = {
    MAIL_DOMAINS_ALLOWED: "example.org, bücher.example",
    MAIL_DOMAINS_REFUSED: "a.example b.example",
  };
  expect(read(lists).env).toMatchObject(lists);
  expect(
    problems({
      MAIL_DOMAINS_REFUSED: "@example.org",
      PROOF_OF_WORK_HASHES: "1e2",
      TURNSTILE_SITE_KEY: "key",
    }),
  ).toEqual([
    'MAIL_DOMAINS_REFUSED must be domains, such as example.org,example.com, not "@example.org"',
    'PROOF_OF_WORK_HASHES must be a number of hashes from 1000 to 100000000, not "1e2"',
    "TURNSTILE_SITE_KEY and TURNSTILE_SECRET go together: set both, or neither",
  ]);
});
