import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import type { Finding } from "../../workers/admin/server/finding.ts";
import { serverCommands } from "../../workers/admin/server/server-commands.ts";

const place = mkdtempSync(join(tmpdir(), "soundpost-own-"));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(place, { recursive: true }));

/** Runs a command on a server that has never started. */
async function run(dataDir: string, line: string) {
  vi.stubEnv("DATA_DIR", dataDir);
  const given = readArguments(line.split(" "));
  return (await serverCommands[given.command]?.(given)) ?? expect.fail(`No command ${line}`);
}

const findingsIn = async (dataDir: string) =>
  ((await run(dataDir, "check")).json as { findings: Finding[] }).findings;

const wrongIn = async (dataDir: string) =>
  (await findingsIn(dataDir)).flatMap(({ state, says }) => (state === "wrong" ? [says] : []));

function newDataDir(name: string, settings = ""): string {
  const dataDir = join(place, name);
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "settings.env"), settings, { mode: 0o600 });
  return dataDir;
}

test("check looks at a DATA_DIR that is not there yet", async () => {
  const findings = await findingsIn(join(place, "not/there/yet"));
  const says = (part: string) => findings.find((one) => one.part === part)?.says;
  expect(says("disk")).toContain("GiB free");
  expect(says("secrets")).toBe("made at the first start");
});

test("check names what would end a start: half a restore, lost secrets, an ffmpeg that is not there", async () => {
  const half = newDataDir("half");
  writeFileSync(join(half, "restore-unfinished"), "");
  expect(await wrongIn(half)).toContainEqual(expect.stringContaining("holds half of a backup"));
  const lost = newDataDir("lost");
  mkdirSync(join(lost, "postgres"));
  writeFileSync(join(lost, "postgres/PG_VERSION"), "17");
  expect(await wrongIn(lost)).toContainEqual(expect.stringContaining("secrets.json is missing"));
  const mute = newDataDir("mute", "FFMPEG_PATH=/nonexistent\n");
  expect(await wrongIn(mute)).toContainEqual(expect.stringContaining("FFMPEG_PATH does not run"));
});

test("check names a line of settings.env that nothing reads", async () => {
  const findings = await findingsIn(newDataDir("misspelt", "PROT=9000\n"));
  const says = expect.stringContaining("PROT in DATA_DIR/settings.env has no effect");
  expect(findings).toContainEqual(expect.objectContaining({ part: "settings", says }));
});

test.each(["check", "service"])("%s is refused for a deployed environment", async (command) => {
  await expect(run(place, `${command} --env production`)).rejects.toThrow("takes no --env");
});

test.each([
  ["::1", "[::1]"],
  ["10.0.0.7,0.0.0.0", "127.0.0.1"],
  ["10.0.0.7", "10.0.0.7"],
])("with BIND=%s Caddy sends requests to %s", async (bind, host) => {
  vi.stubEnv("BIND", bind);
  vi.stubEnv("API_URL", "https://api.sound.test");
  vi.stubEnv("OBJECTS_URL", "https://objects.sound.test");
  vi.stubEnv("PORT", "9000");
  const { text } = await run(place, "service --caddy");
  expect(text.match(/reverse_proxy \S+/g)).toEqual([
    `reverse_proxy ${host}:9000`,
    `reverse_proxy ${host}:9002`,
  ]);
});

test.each(["--unit", "--timer"])(
  "service %s is refused with a setting that the unit would not have",
  async (option) => {
    const dataDir = newDataDir(`unwritten${option}`, "BACKUP_DIR=/mnt/backup\n");
    vi.stubEnv("API_URL", "https://api.sound.test");
    vi.stubEnv("OBJECTS_URL", "https://objects.sound.test");
    vi.stubEnv("PORT", "9000");
    const lost =
      "would not have API_URL, OBJECTS_URL of your environment: write it into DATA_DIR/settings.env";
    await expect(run(dataDir, `service ${option}`)).rejects.toThrow(lost);
    writeFileSync(join(dataDir, "settings.env"), `BACKUP_DIR=/mnt/backup\n${PUBLIC}`);
    expect((await run(dataDir, `service ${option}`)).text).toContain("[Service]");
  },
);

const PUBLIC = "API_URL=https://api.sound.test\nOBJECTS_URL=https://objects.sound.test\n";

test.each([
  [
    "",
    "warning",
    "neither COUNTRY_HEADER nor COUNTRY_FILE is set: a track that is restricted to countries is blocked",
  ],
  ["COUNTRY_HEADER=X-Country", "ok", "named by 127.0.0.0/8, ::1 in X-Country"],
  ["COUNTRY_HEADER=X-Country\nTRUSTED_PROXIES=10.0.0.0/8", "ok", "named by 10.0.0.0/8 in X-Country"],
  ["COUNTRY_FILE=README.md", "wrong", "README.md is no file of MaxMind's format"],
])("check says whether the server learns where listeners are: %s", async (lines, state, says) => {
  const findings = await findingsIn(newDataDir(`countries-${state}-${lines.length}`, `${PUBLIC}${lines}\n`));
  const found = findings.filter(({ part }) => part === "countries");
  expect(found).toEqual([{ part: "countries", state, says: expect.stringContaining(says) }]);
});

test("Caddy replaces the country that a client names", async () => {
  const dataDir = newDataDir("caddy-country", `${PUBLIC}COUNTRY_HEADER=X-Country\n`);
  const { text } = await run(dataDir, "service --caddy");
  expect(text.match(/header_up .*/g)).toEqual(["header_up X-Country {geoip2.country_code}"]);
});

test.each([
  ["TRUSTED_PROXIES=10.0.0.0/33", "TRUSTED_PROXIES must be addresses or networks"],
  ["COUNTRY_HEADER=X Country", "COUNTRY_HEADER must be the name of a header"],
  ["COUNTRY_FILE=/nonexistent", "COUNTRY_FILE must be the path of a file of countries"],
])("a wrong setting is named: %s", async (line, says) => {
  expect(await wrongIn(newDataDir(`wrong-${says.length}`, `${line}\n`))).toContainEqual(
    expect.stringContaining(says),
  );
});

test("keys of a deployment that are rubbish are refused without a word of them", async () => {
  vi.stubEnv("JWT_KEYS", "hush, rubbish");
  const refused = run(place, "rotate JWT_KEYS --env production");
  await expect(refused).rejects.toThrow("JWT_KEYS of now can be no key");
  await expect(refused).rejects.not.toThrow("hush");
});
