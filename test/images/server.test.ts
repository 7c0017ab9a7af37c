import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createClient } from "../../functions/client/index.ts";
import { uploadTrack } from "../../functions/client/upload.ts";
import { MISSING_FIXES } from "../../workers/build/publish.ts";
import { toneFile } from "../../workers/build/tone.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { until } from "../stack/npm-start.ts";
import { BUILD_PATIENCE_MS, buildImage, LIMITS, podman, RUNTIME, run } from "../support/podman.ts";
import { PROJECT_DIR } from "../support/structure.ts";

/** Another run may be under way on this machine. */
const PROJECT = `soundpost-test-${process.pid}`;
const CONTAINER = `${PROJECT}_soundpost_1`;
const FOLDER = join(PROJECT_DIR, "workers/local/container");
/** Milliseconds. The first start builds the Worker. */
const PATIENCE_MS = 15 * 60_000;

describe.runIf(inject("hasContainers"))("a server of one's own in a container", () => {
  let image: string;
  let port: number;
  let track: { token: string; id: number };

  const settings = () => ({
    IMAGE: image,
    PORT: String(port),
    OBJECTS_PORT: String(port + 2),
    API_URL: `http://localhost:${port}`,
    OBJECTS_URL: `http://localhost:${port + 2}`,
  });
  const compose = (...words: string[]) => {
    const further = [`--podman-args=${RUNTIME.join(" ")}`, `--podman-run-args=${LIMITS.join(" ")}`];
    const file = ["--project-name", PROJECT, "--file", join(FOLDER, "compose.yml")];
    return run("podman-compose", [...further, ...file, ...words], { env: settings() });
  };
  const isReady = async () => {
    const reply = await fetch(`http://localhost:${port}/readyz`).catch(() => undefined);
    await reply?.body?.cancel();
    return reply?.ok;
  };
  async function up(): Promise<void> {
    compose("up", "--detach", "--no-build");
    await until("the container is ready", isReady, PATIENCE_MS);
  }
  const inside = (...words: string[]) => podman("exec", CONTAINER, ...words);
  const admin = (words: string[], input = "") =>
    JSON.parse(
      run(
        "podman",
        [
          "exec",
          "--interactive",
          CONTAINER,
          "node_modules/node/bin/node",
          "workers/admin/main.ts",
          ...words,
          "--json",
        ],
        { input },
      ),
    );
  const client = () => createClient({ apiUrl: `http://localhost:${port}`, token: track.token });
  /** The bytes of the track's first segment, by the way of a player. */
  async function played(): Promise<number> {
    const { hls_aac_160_url = "" } = await client().get("/tracks/{id}/streams", { path: { id: track.id } });
    for (let url = hls_aac_160_url ?? ""; ; ) {
      const reply = await fetch(url);
      expect(reply.status).toBe(200);
      if (!/mpegurl/i.test(reply.headers.get("Content-Type") ?? ""))
        return (await reply.arrayBuffer()).byteLength;
      const next = (await reply.text()).split(/\r?\n/).find((line) => line && !line.startsWith("#"));
      url = new URL(next ?? "", url).href;
    }
  }

  beforeAll(async () => {
    image = await buildImage("soundpost", "workers/local/container/Containerfile", ".");
    port = await freePorts(3);
    await up();
  }, BUILD_PATIENCE_MS);
  afterAll(() => {
    compose("down", "--volumes");
    // Debian's podman-compose leaves it.
    podman("network", "rm", "--force", `${PROJECT}_default`);
    podman("rmi", "--force", image);
  });

  test("takes an upload and plays it", { timeout: PATIENCE_MS }, async () => {
    const account = ["--username", "Ana", "--email", "ana@example.com", "--plan", "artist", "--confirmed"];
    admin(["user", "create", ...account], "correct horse battery\n");
    const uri = ["--redirect-uri", "http://127.0.0.1/callback"];
    const app = admin(["app", "create", "--owner", "Ana", "--name", "Player", ...uri]);
    const { access_token } = admin(["token", "create", "--app", app.client_id, "--user", "Ana"]);
    track = { token: access_token, id: 0 };
    const file = new Blob([new Uint8Array(toneFile(1))], { type: "audio/wav" });
    track.id = (await uploadTrack(client(), file, { title: "Tone" }, { name: "tone.wav" })).id;
    const path = { id: track.id };
    await until(
      "the upload is encoded",
      async () => (await client().get("/tracks/{id}", { path })).state === "finished",
      PATIENCE_MS,
    );
    expect(await played()).toBeGreaterThan(3000);
  });

  test("plays it again after it was killed and is up again", { timeout: PATIENCE_MS }, async () => {
    podman("kill", "--signal", "KILL", CONTAINER);
    await until("nothing answers", async () => !(await isReady()));
    await up();
    expect(await played()).toBeGreaterThan(3000);
  });

  test("is healthy, as the compose file asks", () => {
    expect(podman("healthcheck", "run", CONTAINER)).toBe("");
  });

  test("runs as nobody, without capabilities, and writes to its volume and to memory alone", () => {
    const status = inside("cat", "/proc/1/status");
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    for (const path of ["/soundpost/x", "/usr/local/bin/x", "/etc/x", "/var/x"])
      expect(() => inside("touch", path)).toThrow("Read-only file system");
    inside("touch", "/tmp/x", "/data/x");
  });

  test("lacks no fix of Debian", () => {
    const asRoot = ["--rm", "--network", "host", "--user", "0:0", ...LIMITS];
    expect(podman("run", ...asRoot, image, "sh", "-c", MISSING_FIXES)).toBe("");
  });
});
