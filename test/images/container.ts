import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { until } from "../stack/npm-start.ts";
import { LIMITS, podman } from "../support/podman.ts";
import { startGatewayProxy, type Verdict } from "../transcoder/gateway-proxy.ts";

/** Nothing but the program: no network, no writable file, no capability and no way to gain one. */
const CONFINED = [
  "--network",
  "none",
  "--read-only",
  "--read-only-tmpfs=false",
  "--cap-drop=ALL",
  "--security-opt=no-new-privileges",
];

export interface RunningContainer {
  /** Output of a command inside. Throws if it fails. */
  exec(...command: string[]): string;
  encode(file: Uint8Array): Promise<{ verdict: Verdict; outputs: string[]; refusals: string[] }>;
  stop(): void;
}

/** Returns once the transcoder inside takes jobs. */
export async function startContainer(image: string): Promise<RunningContainer> {
  // The default driver may be a journal that a machine does not have.
  const id = podman("run", "--detach", "--rm", "--log-driver=k8s-file", ...CONFINED, ...LIMITS, image);
  await until("the transcoder listens", () => podman("logs", id).includes('"event":"listening"'));
  const pid = podman("inspect", "--format", "{{.State.Pid}}", id);
  return {
    exec: (...command) => podman("exec", id, ...command),
    async encode(file) {
      const worker = await startGatewayProxy(file);
      const port = new URL(String(worker.job.report_url)).port;
      const bridge = await openBridge(pid, Number(port));
      try {
        const { status, body } = await bridge.post("/jobs", worker.job);
        if (status !== 202) throw new Error(`the job was answered ${status}: ${JSON.stringify(body)}`);
        const verdict = await worker.verdict;
        return { verdict, outputs: [...worker.outputs.keys()], refusals: worker.refusals };
      } finally {
        bridge.close();
        await worker.close();
      }
    },
    // Not `stop`: the image is free only once its container is removed.
    stop: () => void podman("rm", "--force", "--ignore", "--time", "10", id),
  };
}

/** Joins the container's network to the gateway at `port`, and to nothing else. */
async function openBridge(pid: string, port: number) {
  const folder = mkdtempSync(join(tmpdir(), "soundpost-bridge-"));
  const [gateway, transcoder] = [join(folder, "gateway"), join(folder, "transcoder")];
  const server = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  });
  server.listen(gateway);
  const program = [process.execPath, join(import.meta.dirname, "bridge.ts"), `${port}`, gateway, transcoder];
  const child: ChildProcess = spawn("nsenter", ["--net", "--target", pid, ...program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout) await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => fail())]);

  return {
    async post(path: string, sent: unknown) {
      const headers = { "Content-Type": "application/json" };
      const asked = request({ socketPath: transcoder, path, method: "POST", headers });
      const answered = once(asked, "response");
      asked.end(JSON.stringify(sent));
      const [reply] = await answered;
      return { status: reply.statusCode as number, body: await json(reply) };
    },
    close() {
      child.kill();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fail(): never {
  throw new Error("nsenter could not enter the container's network; it needs root");
}
