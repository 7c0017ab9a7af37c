import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import type { Failed, Finished, Heartbeat } from "../../workers/transcoder/contract.ts";
import { holdLease } from "../encoding/leases.support.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createTrack, s3 } from "../support/tracks.ts";

export type Verdict = { outcome: "finished"; body: Finished } | { outcome: "failed"; body: Failed };

/** Each may spoil an exchange. `true`, or a status other than 200, keeps it from the gateway. */
export interface Faults {
  source?(response: ServerResponse, range: { from: number; to: number }, file: Uint8Array): boolean;
  output?(response: ServerResponse, name: string): boolean;
  heartbeatStatus?(beats: number): number;
  verdictStatus?(reports: number): number;
}

export interface GatewayProxy {
  track: number;
  job: Record<string, unknown>;
  /** Outputs that the gateway accepted. */
  outputs: Map<string, Buffer>;
  /** Names in the order of their storage. */
  stored: string[];
  beats: Heartbeat[];
  /** Every reply of the gateway outside 2xx, except for lost leases. */
  refusals: string[];
  /** The first that the gateway accepted. Its reply was passed on. */
  verdict: Promise<Verdict>;
  verdicts: Verdict[];
  close(): Promise<void>;
}

let owner: Promise<Person> | undefined;

/**
 * A leased job of this file behind a proxy to the running service's gateway. The proxy records and may spoil
 * exchanges.
 */
export async function startGatewayProxy(file: Uint8Array, faults: Faults = {}): Promise<GatewayProxy> {
  const outputs = new Map<string, Buffer>();
  const stored: string[] = [];
  const beats: Heartbeat[] = [];
  const refusals: string[] = [];
  const verdicts: Verdict[] = [];
  const first = Promise.withResolvers<Verdict>();
  let reports = 0;

  const { track, ticket, remove } = await createLeasedJob(file);

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? "").replace(/^\/jobs\/\d+\//, "");
    const body = await read(incoming);
    if (isSpoilt(path, incoming, body, response)) return;
    await passOn(incoming, body, response, (status) => {
      // A heartbeat may cross the verdict, which ends the lease.
      if (path === "report/heartbeat" && status === 409) return;
      if (status < 200 || status > 299) refusals.push(`${path} ${status}`);
      else note(path, body);
    });
    if (verdicts[0]) first.resolve(verdicts[0]);
  }

  function isSpoilt(
    path: string,
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): boolean {
    if (path === "source") {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? "") ?? [];
      const range = { from: Number(from), to: Math.min(Number(to) + 1, file.length) };
      return faults.source?.(response, range, file) ?? false;
    }
    if (path.startsWith("outputs/")) return faults.output?.(response, path.slice("outputs/".length)) ?? false;
    const isBeat = path === "report/heartbeat";
    if (isBeat) beats.push(JSON.parse(body.toString()));
    const status = isBeat ? faults.heartbeatStatus?.(beats.length) : faults.verdictStatus?.(++reports);
    if (status === undefined || status === 200) return false;
    response.writeHead(status).end();
    return true;
  }

  function note(path: string, body: Buffer): void {
    if (path.startsWith("outputs/")) {
      const name = path.slice("outputs/".length);
      outputs.set(name, body);
      stored.push(name);
    }
    if (path !== "report/finished" && path !== "report/failed") return;
    const verdict = { outcome: path.slice("report/".length), body: JSON.parse(body.toString()) } as Verdict;
    verdicts.push(verdict);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs/${track}`;
  return {
    track,
    job: {
      job: String(track),
      attempt: 1,
      source_url: `${base}/source`,
      source_bytes: file.length,
      outputs_url: `${base}/outputs`,
      report_url: `${base}/report`,
      ticket,
    },
    outputs,
    stored,
    beats,
    refusals,
    verdict: first.promise,
    verdicts,
    async close() {
      server.close();
      server.closeAllConnections();
      await remove();
    },
  };
}

/** The job's state after a transcoder accepted it. */
async function createLeasedJob(file: Uint8Array) {
  owner ??= createUser();
  const person = await owner;
  const key = `in/${person.id}/${randomUUID()}`;
  await s3.send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key, Body: file }));
  const stored = await createTrack(person, { original_key: key, original_content_size: file.length });
  const ticket = await holdLease(stored, { seconds: 600 });
  return {
    track: stored.id,
    ticket,
    async remove() {
      await sql("delete from tracks where id = $1", [stored.id]);
      await s3.send(new DeleteObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key }));
    },
  };
}

/** `answered` gets the gateway's status even if the client is gone. */
const passOn = (
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  answered: (status: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { host: _, ...headers } = incoming.headers;
    const outgoing = request(
      { host: "127.0.0.1", port: stack.ports.gateway, method: incoming.method, path: incoming.url, headers },
      (reply) => {
        answered(reply.statusCode ?? 0);
        reply.once("close", resolve);
        if (response.destroyed) return void reply.destroy();
        response.writeHead(reply.statusCode ?? 0, reply.headers);
        response.once("close", () => reply.destroy());
        reply.pipe(response);
      },
    );
    outgoing.once("error", reject).end(body);
  });

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
