import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { requireToken } from "../../workers/deploy/api-token.ts";
import type { Ask } from "../../workers/deploy/ask.ts";
import { readEnvironment } from "../../workers/deploy/environment.ts";
import { laidOver } from "../../workers/deploy/lay-over.ts";
import { cloudflareDouble } from "../units/cloudflare-double.ts";
import { copyProject } from "./deploying.support.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";

describe("values of the operator", () => {
  let project: ReturnType<typeof copyProject>;
  beforeAll(() => {
    project = copyProject();
    mkdirSync(join(project.directory, ".data"));
  });
  afterAll(() => rmSync(project.directory, { recursive: true, force: true }));

  /** Reads an environment with these values as a deploy does. Returns the refusal as a text. */
  function environmentWith(values: string, name = "production") {
    writeFileSync(join(project.directory, ".data/deploy.toml"), values);
    const module = join(project.directory, "workers/deploy/environment.ts");
    const program = `const { readEnvironment } = await import(${JSON.stringify(module)});
      console.log(JSON.stringify(readEnvironment(${JSON.stringify(name)})));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    return stdout ? (JSON.parse(stdout) as ReturnType<typeof readEnvironment>) : stderr;
  }

  test("lie over wrangler.toml, which stays as it was pulled", () => {
    const before = project.config();
    const values = `domain = "music.test"
account_id = "${ACCOUNT}"
[env.production]
name = "music"
[env.production.vars]
SITE_NAME = "Radio Ana"
LIKES_PER_HOUR = "off"
[[env.production.r2_buckets]]
binding = "MEDIA"
bucket_name = "ana-media"
[[env.production.hyperdrive]]
binding = "HYPERDRIVE"
id = "${ACCOUNT}"
[[env.production.containers]]
class_name = "TranscoderContainer"
image = "docker.io/ana/transcoder:0.1.0"
`;
    expect(environmentWith(values)).toMatchObject({
      name: "music",
      vars: {
        SITE_NAME: "Radio Ana",
        LIKES_PER_HOUR: "off",
        API_URL: "https://api.music.test",
        S3_ENDPOINT: `https://${ACCOUNT}.r2.cloudflarestorage.com`,
      },
      r2_buckets: [
        { binding: "UPLOADS", bucket_name: "soundpost-uploads-production" },
        { binding: "MEDIA", bucket_name: "ana-media" },
      ],
      containers: [{ image: "docker.io/ana/transcoder:0.1.0", max_instances: 20 }],
      routes: [{ pattern: "api.music.test" }, { pattern: "auth.music.test" }, { pattern: "music.test" }],
    });
    expect(environmentWith(values, "staging")).toMatchObject({ name: "soundpost-staging" });
    expect(project.config()).toBe(before);
  });

  test.each([
    ['[env.prod.vars]\nSITE_NAME = "Ana"', "no environment prod; there are staging, production, sandbox"],
    ['domain = "https://music.test"', "DOMAIN must be like example.com"],
    ["domain = 7", "domain is a text"],
    ["[env.production", "deploy.toml cannot be read"],
    ['[env.production]\nr2_buckets = "mine"', "r2_buckets"],
  ])("%s is refused, and what is wrong is named", (values, words) => {
    expect(environmentWith(values)).toContain(words);
  });
});

test("lists whose entries have no name are replaced, such as routes and crons", () => {
  const base = {
    routes: [{ pattern: "a" }],
    crons: ["1", "2"],
    queues: [{ queue: "q", retries: 1, size: 2 }],
  };
  const over = {
    routes: [{ pattern: "b" }],
    crons: ["3"],
    queues: [{ queue: "p" }, { queue: "q", retries: 9 }],
  };
  expect(laidOver(base, over)).toEqual({
    routes: [{ pattern: "b" }],
    crons: ["3"],
    queues: [{ queue: "q", retries: 9, size: 2 }, { queue: "p" }],
  });
});

describe("the API token", () => {
  let cloudflare: Awaited<ReturnType<typeof cloudflareDouble>>;
  beforeAll(async () => {
    cloudflare = await cloudflareDouble();
  });
  afterAll(() => cloudflare.close());
  beforeEach(() => {
    vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
    vi.stubEnv("CLOUDFLARE_API_TOKEN", "hush");
    vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "");
  });
  afterEach(() => vi.unstubAllEnvs());

  const ask: Ask = async (name) => (name === "CLOUDFLARE_ACCOUNT_ID" ? ACCOUNT : "hush");
  const tried = () => requireToken(readEnvironment("staging"), ask);

  test.each(["user", "account"] as const)("of %s is taken", async (of) => {
    cloudflare.rights.token = { of, status: "active" };
    await tried();
    const accounts = `/accounts/${ACCOUNT}/tokens/verify`;
    expect(cloudflare.asked.splice(0)).toEqual([
      "/user/tokens/verify",
      ...(of === "account" ? [accounts] : []),
    ]);
  });

  test.each([
    ["disabled", "it is disabled"],
    ["unknown", "Invalid API Token"],
  ] as const)("that is %s is refused in Cloudflare's words, without itself", async (status, words) => {
    cloudflare.rights.token = { of: "user", status };
    await expect(tried()).rejects.toThrow(`Cloudflare refuses CLOUDFLARE_API_TOKEN: ${words}. Make another`);
    await expect(tried()).rejects.not.toThrow("hush");
  });

  test("is not blamed when Cloudflare does not answer", async () => {
    vi.stubEnv("CLOUDFLARE_API_BASE_URL", "http://127.0.0.1:1");
    await expect(tried()).rejects.toThrow("Cloudflare does not answer whether CLOUDFLARE_API_TOKEN is good");
  });
});
