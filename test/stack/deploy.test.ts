import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { readArguments } from "../../workers/deploy/arguments.ts";
import { MEDIA_CORS, UPLOADS_CORS, UPLOADS_LIFECYCLE } from "../../workers/deploy/buckets.ts";
import { environmentNames } from "../../workers/deploy/config.ts";
import { placeholders, queuesOf, readEnvironment } from "../../workers/deploy/environment.ts";
import { Refused } from "../../workers/deploy/wrangler.ts";
import { BUCKETS, MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { isFull } from "../support/repeats.ts";
import { PROJECT_DIR } from "../support/structure.ts";

/** The environment excludes an operator's own settings. */
const deploy = (...args: string[]) => runDeploy([], args);

/** Variables by which npm reaches its registry: the build installs the packages of the image. */
const OF_NPM = /^npm_config_|_proxy$|cert|_ca_/i;

async function runDeploy(nodeOptions: string[], args: string[]) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const ofNpm = Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_NPM.test(name)));
  const program = [...nodeOptions, join(PROJECT_DIR, "workers/deploy/main.ts")];
  const child = spawn(process.execPath, [...program, ...args], {
    env: { ...ofNpm, PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** The local stack sets them instead of the container, the Neon host and the e-mail binding. */
const LOCAL_ONLY = [
  "DATABASE_PROXY_URL",
  "CHECK_REPLIES",
  "CHEAP_PASSWORDS",
  "TRANSCODER_URLS",
  "TRANSCODER_CALLBACK_URL",
  "MAIL_URL",
  "UNMAILED",
  "TURNSTILE_VERIFY_URL",
  "PLAYS_URL",
  "OBJECTS_URL",
  "S3_REGION",
  "TRANSCODER_SECRET",
  "FRONT_SECRET",
  "WEBHOOK_TARGETS",
  "PUBLIC_NETWORK",
  "DNS_URL",
];

/** The version of the static files that go up with the Worker: its entry knows it. */
const KNOWN_TO_ENTRY = "ASSETS_VERSION";

/** Optional in a deployment, because the Worker has defaults. */
const isOptional = (name: string) => /_PER_(HOUR|MINUTE)$/.test(name) || HAVE_DEFAULTS.includes(name);

const HAVE_DEFAULTS = [
  ...["FORM_MEMORY_MIB", "DELETED_OBJECTS_DAYS", "RETENTION", "PROOF_OF_WORK", "PROOF_OF_WORK_HASHES"],
  ...["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET", "MAIL_DOMAINS_ALLOWED", "MAIL_DOMAINS_REFUSED"],
];

/** Other ways to the database, which an operator adds when the usual one is too narrow: db/README.md. */
const TO_GROW = [
  "DATABASE_TRANSPORT",
  "HYPERDRIVE",
  "READ_DATABASE_URL",
  "READ_DATABASE_PROXY_URL",
  "READ_HYPERDRIVE",
  "PLAYS_2",
  "PLAYS_3",
  "PLAYS_4",
];

/** The names that `interface Env` declares. */
function declaredNames(): string[] {
  const source = readFileSync(join(PROJECT_DIR, "functions/lib/http/env.ts"), "utf8");
  const [, body = ""] = /export interface Env \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  return [...body.matchAll(/^ {2}([A-Z0-9_]+)\??:/gm)].map(([, name = ""]) => name);
}

test("there are three environments", () => {
  expect(environmentNames().sort()).toEqual(["production", "sandbox", "staging"]);
});

describe.each(["staging", "production", "sandbox"])("%s", (name) => {
  const environment = readEnvironment(name);
  const config = unstable_readConfig({ config: join(PROJECT_DIR, "wrangler.toml"), env: name });
  const { vars, secrets, assets, r2_buckets, queues, durable_objects, send_email, ratelimits } = environment;

  test("sets every variable, secret and binding that the Worker reads", () => {
    const given = [
      ...Object.keys(vars),
      ...secrets.required,
      assets.binding,
      ...r2_buckets.map(({ binding }) => binding),
      ...queues.producers.map(({ binding }) => binding),
      ...durable_objects.bindings.map((binding) => binding.name),
      ...send_email.map((binding) => binding.name),
      ...ratelimits.map((binding) => binding.name),
    ];
    const wanted = declaredNames()
      .filter((each) => each !== KNOWN_TO_ENTRY && !LOCAL_ONLY.includes(each) && !isOptional(each))
      .filter((each) => each !== "OLDER_API_URL" || vars.OLDER_BEHAVIOUR === "on")
      .filter((each) => each !== "SANDBOX" || name === "sandbox")
      .filter((each) => !TO_GROW.includes(each));
    expect(wanted.length).toBeGreaterThan(15);
    expect(given.sort()).toEqual(wanted.sort());
  });

  test("has as many containers as its pool", () => {
    expect(environment.containers).toMatchObject([{ max_instances: Number(vars.TRANSCODERS) }]);
  });

  test("keeps secrets out of its variables", () => {
    expect(Object.keys(vars).filter((each) => /KEY|SECRET|PASSWORD|TOKEN|DATABASE/.test(each))).toEqual([]);
  });

  test("answers on exactly the hosts of its addresses", () => {
    const addresses = [vars.API_URL, vars.AUTH_URL, vars.WEB_URL, vars.OLDER_API_URL];
    const hosts = addresses.flatMap((url) => (url ? [new URL(url).host] : []));
    expect(environment.routes.map(({ pattern }) => pattern).sort()).toEqual(hosts.sort());
  });

  test("reaches the same buckets by binding and by S3", () => {
    expect(r2_buckets).toMatchObject([
      { binding: "UPLOADS", bucket_name: vars.S3_UPLOADS_BUCKET },
      { binding: "MEDIA", bucket_name: vars.S3_MEDIA_BUCKET },
    ]);
  });

  test("consumes its own queues and their dead letters", () => {
    expect(queuesOf(environment).sort()).toEqual([
      `connection-posts-${name}`,
      `dead-letters-${name}`,
      `imports-${name}`,
      `jobs-${name}`,
      `mails-${name}`,
      `plays-${name}`,
      `webhooks-${name}`,
    ]);
    expect(queues.consumers).toMatchObject([
      { queue: `jobs-${name}`, dead_letter_queue: `dead-letters-${name}` },
      { queue: `connection-posts-${name}` },
      { queue: `plays-${name}`, dead_letter_queue: `dead-letters-${name}` },
      { queue: `webhooks-${name}`, dead_letter_queue: `dead-letters-${name}` },
      { queue: `mails-${name}`, dead_letter_queue: `dead-letters-${name}` },
      { queue: `imports-${name}` },
      { queue: `dead-letters-${name}` },
    ]);
  });

  test("calls hosts of its own domain as everybody does, past their firewall never", () => {
    expect(config.compatibility_flags).toContain("global_fetch_strictly_public");
  });

  test("gives up a dead letter after a hundred retries, not after the usual three", () => {
    expect(config.queues.consumers).toContainEqual(
      expect.objectContaining({ queue: `dead-letters-${name}`, max_retries: 100 }),
    );
  });

  test("runs the crons that the Worker distinguishes", () => {
    const main = readFileSync(join(PROJECT_DIR, "workers/main.ts"), "utf8");
    const [, sweep] = /SWEEP_CRON = "(.+)"/.exec(main) ?? [];
    const [, reset = ""] = /RESET_CRON = "(.+)"/.exec(main) ?? [];
    expect(environment.triggers.crons).toEqual(["* * * * *", sweep, ...(name === "sandbox" ? [reset] : [])]);
  });

  // Each bundles the Worker.
  test.runIf(isFull || name === "production")(
    "passes a dry-run deploy without account or Docker",
    async () => {
      const { code, stdout, stderr } = await deploy(name, "--dry-run");
      expect(stderr).toBe("");
      expect(code).toBe(0);
      expect(stdout).toContain("--dry-run: exiting now.");
      const bound = [
        "TRANSCODER (TranscoderContainer)",
        "UPLOADS",
        "MEDIA",
        `JOBS (jobs-${name})`,
        `PLAYS (plays-${name})`,
        `WEBHOOKS (webhooks-${name})`,
      ];
      for (const binding of bound) expect(stdout).toContain(`env.${binding}`);
      for (const variable of Object.keys(vars)) expect(stdout).toContain(`env.${variable} (`);
      for (const secret of secrets.required) expect(stdout).toContain(secret);
      expect(stdout).toContain(`soundpost-transcoder-${name}`);
    },
  );
});

test("older behaviour is on in the sandbox alone", () => {
  const older = environmentNames().map((name) => [name, readEnvironment(name).vars.OLDER_BEHAVIOUR]);
  expect(Object.fromEntries(older)).toEqual({ staging: "off", production: "off", sandbox: "on" });
});

test("no two environments share a bucket, a queue, a host or a Worker", () => {
  const names = environmentNames().flatMap((name) => {
    const environment = readEnvironment(name);
    const hosts = environment.routes.map(({ pattern }) => pattern);
    const buckets = environment.r2_buckets.map(({ bucket_name }) => bucket_name);
    return [environment.name, ...hosts, ...buckets, ...queuesOf(environment)];
  });
  expect(new Set(names).size).toBe(names.length);
});

test("deployed and local buckets have the same CORS rules", () => {
  expect(BUCKETS[UPLOADS_BUCKET].cors).toEqual(UPLOADS_CORS);
  expect(BUCKETS[MEDIA_BUCKET].cors).toEqual(MEDIA_CORS);
  expect(UPLOADS_LIFECYCLE).toMatchObject([{ enabled: true, conditions: { prefix: "" } }]);
});

test.each([
  [["nowhere"], "No environment nowhere; there are staging, production, sandbox"],
  [["nowhere", "--dry-run"], "No environment nowhere"],
  [["toString"], "No environment toString"],
  [[], "npm run deploy -- <environment>"],
  [["staging", "production"], "npm run deploy -- <environment>"],
  [["staging", "--force"], "npm run deploy -- <environment>"],
  [["staging", "--init", "--rollback"], "Choose one of"],
])("`deploy %j` is refused with a sentence", (args, message) => {
  expect(() => readArguments(args)).toThrow(Refused);
  expect(() => readArguments(args)).toThrow(message);
});

test("--help explains each option without a readable configuration, and an unknown one is named alone", async () => {
  const unreadable = `import fs from "node:fs";
    const read = fs.readFileSync;
    fs.readFileSync = (path, ...more) => read(String(path).endsWith("wrangler.toml") ? "" : path, ...more);`;
  const options = ["--import", `data:text/javascript,${encodeURIComponent(unreadable)}`];
  const { code, stdout } = await runDeploy(options, ["--help"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/--init +asks .*--rollback .*--dry-run /s)]);
  expect(() => readArguments(["staging", "--force"])).toThrow(/^Unknown option '--force'\nnpm run deploy/);
});

test("an operator without settings learns every missing one, a line each", async () => {
  const { code, stderr } = await deploy("production", "--secrets-file", "/nowhere/secrets.env");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^MIGRATOR_DATABASE_URL is not set/m);
  expect(stderr).toMatch(/^Not signed in to Cloudflare/m);
  expect(stderr).toMatch(/^\/nowhere\/secrets\.env: no such file/m);
  for (const text of placeholders(readEnvironment("production"))) expect(stderr).toContain(text);
});
