import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { filledIn } from "../../workers/deploy/config.ts";
import {
  databaseFaults,
  makeServiceRole,
  newServiceAddress,
  serviceAddressFaults,
  verifiedAddress,
  versionFaults,
} from "../../workers/deploy/database.ts";
import { accountOf, placeholders, readEnvironment } from "../../workers/deploy/environment.ts";
import { init } from "../../workers/deploy/init.ts";
import { makeStorageToken } from "../../workers/deploy/storage-token.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { cloudflareDouble } from "../units/cloudflare-double.ts";
import { asked, startManagedDatabase } from "./managed-database.ts";
import { temporaryDataDir } from "./npm-start.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const OWN = { domain: "music.test", account_id: ACCOUNT };
let cloudflare: Awaited<ReturnType<typeof cloudflareDouble>>;
let database: Awaited<ReturnType<typeof startManagedDatabase>>;

beforeAll(async () => {
  [cloudflare, database] = await Promise.all([cloudflareDouble(), startManagedDatabase()]);
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  // `init` sets it, and the files of a worker share their environment.
  vi.stubEnv("MIGRATOR_DATABASE_URL", undefined);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  cloudflare?.close();
  await database?.stop();
});

/** An environment whose examples are filled in. */
const filledEnvironment = (): ReturnType<typeof readEnvironment> =>
  JSON.parse(filledIn(JSON.stringify(readEnvironment("staging")), OWN));

test("the R2 token is for the two buckets alone, and a refusal says why and what else to do", async () => {
  cloudflare.rights.tokens = false;
  const into = filledEnvironment();
  await expect(makeStorageToken(into)).rejects.toThrow(
    /Unauthorized to access requested resource\nRun the same command again with .*\nOr make one in the dashboard/,
  );
  cloudflare.rights.tokens = true;
  await makeStorageToken(into);
  expect(cloudflare.changes).toEqual([
    {
      path: "/tokens",
      body: {
        name: "soundpost-staging",
        policies: [
          {
            effect: "allow",
            permission_groups: [{ id: "write-id" }],
            resources: {
              [`com.cloudflare.edge.r2.bucket.${ACCOUNT}_default_soundpost-uploads-staging`]: "*",
              [`com.cloudflare.edge.r2.bucket.${ACCOUNT}_default_soundpost-media-staging`]: "*",
            },
          },
        ],
      },
    },
  ]);
  const byHand = "set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";
  const gateway = "data:text/html,<html>";
  for (const silent of [gateway, "http://127.0.0.1:1"]) {
    vi.stubEnv("CLOUDFLARE_API_BASE_URL", silent);
    const refused = makeStorageToken(into);
    await expect(refused).rejects.toThrow("Cloudflare does not answer GET /tokens/permission_groups");
    await expect(refused).rejects.toThrow(byHand);
  }
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "");
  await expect(makeStorageToken(into)).rejects.toThrow(byHand);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
});

const withVars = (more: Record<string, string>) => {
  const environment = filledEnvironment();
  return { ...environment, vars: { ...environment.vars, ...more } };
};

function fail(name: string): never {
  throw new Error(`asked for ${name}`);
}

/** A first deploy that is killed when it prints `line`. */
const killedAt = (line: string, secretsFile: string, vars = {}, answers: Record<string, string> = {}) =>
  init({
    environment: withVars(vars),
    secretsFile,
    ask: async (name) =>
      name === "MIGRATOR_DATABASE_URL" ? database.databaseUrl : (answers[name] ?? fail(name)),
    log: (said) => {
      if (said.startsWith(line)) throw new Error(`killed at ${line}`);
    },
  });

test("a first deploy that was killed goes on; from elsewhere it is refused, and the service keeps its password", async () => {
  const [here, elsewhere] = [join(temporaryDataDir(), "a.json"), join(temporaryDataDir(), "b.json")];
  await expect(killedAt("Role", here)).rejects.toThrow("killed at Role");
  await expect(killedAt("Keys", here)).rejects.toThrow("killed at Keys");
  const { DATABASE_URL } = JSON.parse(readFileSync(here, "utf8"));
  expect(await asked(DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
  await expect(killedAt("Keys", elsewhere)).rejects.toThrow(
    `set up elsewhere: bring its secrets to ${elsewhere}`,
  );
  expect(existsSync(elsewhere)).toBe(false);
  expect(await asked(DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("the secret of a Turnstile widget is asked for where the environment names one, and once", async () => {
  await asked(database.databaseUrl, "drop role soundpost_app");
  const file = join(temporaryDataDir(), "a.json");
  const vars = { TURNSTILE_SITE_KEY: "0x4AAA" };
  await expect(killedAt("Keys", file, vars)).rejects.toThrow("asked for TURNSTILE_SECRET");
  expect(existsSync(file)).toBe(false);
  await expect(killedAt("Keys", file, vars, { TURNSTILE_SECRET: "0x4SECRET" })).rejects.toThrow(
    "killed at Keys",
  );
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ TURNSTILE_SECRET: "0x4SECRET" });
  await expect(killedAt("Buckets", file, vars)).rejects.toThrow("killed at Buckets");
});

test("the service's role may sign in, is limited, and owns nothing", async () => {
  await asked(database.databaseUrl, "drop role soundpost_app");
  const address = newServiceAddress(database.databaseUrl);
  await makeServiceRole(database.databaseUrl, address);
  const [limits] = await asked(address, "select current_user, current_setting('statement_timeout') as t");
  expect(limits).toEqual({ current_user: "soundpost_app", t: "5s" });
  const [role] = await asked(
    database.databaseUrl,
    "select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = 'soundpost_app'",
  );
  expect(Object.values(role)).toEqual([false, false, false, false]);
});

test("an owner who may make no roles is told what to do", async () => {
  const limited = new URL(newServiceAddress(database.databaseUrl));
  const { href } = Object.assign(new URL(database.databaseUrl), {
    username: limited.username,
    password: limited.password,
  });
  await asked(database.databaseUrl, `alter role soundpost_app password '${limited.password}'`);
  await expect(makeServiceRole(href, limited.href)).rejects.toThrow(
    /permission denied to create role\nGive it CREATEROLE/,
  );
});

test("an address that asks for TLS, as Neon tells it, verifies the certificate without a warning", () => {
  const given = "postgres://owner:p@ep-a.eu.neon.tech/soundpost?sslmode=require&channel_binding=require";
  expect(verifiedAddress(given)).toBe(given.replace("=require&", "=verify-full&"));
  const others = ["disable", "verify-full"].map((mode) => given.replace("=require&", `=${mode}&`));
  for (const unchanged of [...others, `${given}&uselibpqcompat=true`])
    expect(verifiedAddress(unchanged)).toBe(unchanged);
});

test.each(["{", "null", "[]", '{"DATABASE_URL":1}'])(
  "a file of secrets that holds %s is refused",
  async (text) => {
    const file = join(temporaryDataDir(), "secrets.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    await expect(killedAt("Role", file)).rejects.toThrow(`${file} is no JSON object of texts: repair it`);
  },
);

test("databases that cannot take the migrations are refused before the first", async () => {
  expect(await databaseFaults(database.databaseUrl)).toEqual([]);
  const pooled = "postgres://owner@ep-a-pooler.eu.neon.tech/soundpost";
  expect(await databaseFaults(pooled)).toEqual([expect.stringContaining("take the direct address")]);
  expect(await databaseFaults("postgres://owner@127.0.0.1:9/soundpost")).toEqual([
    expect.stringContaining("ECONNREFUSED"),
  ]);
  expect(versionFaults(150_014)).toEqual([
    expect.stringContaining("is PostgreSQL 15; the functions need 17"),
  ]);
  expect([versionFaults(170_000), versionFaults(180_001)]).toEqual([[], []]);
  const direct = pooled.replace("-pooler", "");
  expect(serviceAddressFaults(pooled.replace("owner", "soundpost_app"), direct)).toEqual([]);
  expect(serviceAddressFaults(direct.replace("ep-a", "ep-b"), direct)).toEqual([
    expect.stringContaining("soundpost_app"),
    expect.stringContaining("two different databases"),
  ]);
});

test("the operator's domain and account replace every example", () => {
  const config = readFileSync(join(PROJECT_DIR, "wrangler.toml"), "utf8");
  expect(filledIn(config, OWN)).not.toMatch(/soundpost\.example|"https:\/\/ACCOUNT_ID/);
  expect(placeholders(filledEnvironment())).toEqual([]);
  expect([accountOf(filledEnvironment()), accountOf(readEnvironment("staging"))]).toEqual([
    ACCOUNT,
    undefined,
  ]);
  expect(filledIn(config, { domain: "xn--e1afmkfd.xn--p1ai" })).toContain("api.xn--e1afmkfd.xn--p1ai");
  for (const domain of ["https://music.test", "music", "music.test/"])
    expect(() => filledIn(config, { domain })).toThrow("DOMAIN must be");
  expect(() => filledIn(config, { account_id: "mine" })).toThrow("CLOUDFLARE_ACCOUNT_ID must");
});
