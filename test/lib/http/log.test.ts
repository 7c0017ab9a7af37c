import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { poolOf } from "../../support/database.ts";
import { createUser, type Person } from "../../support/people.ts";
import { logText, sql, stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack, shortWav, waitForEncode } from "../../support/tracks.ts";

let ana: Person;

const send = (path: string, raw: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  api.as(ana).post<ErrorReply>(path, { raw, headers });

beforeAll(async () => {
  ana = await createUser();
});

describe("the log", () => {
  test("holds no token, secret, signature, body or address (X91)", async () => {
    const canary = `canary${Date.now()}`;
    const secretTrack = await createPlayableTrack(ana, { sharing: "private" });
    const json = { filename: `${canary}.wav`, size: 10, type: "audio/wav" };
    const opened = await api.as(ana).post<Upload>("/uploads", { json });
    const signed = await api
      .as(ana)
      .post<{ urls: Record<string, string> }>(`/uploads/${opened.body.id}/parts`, { json: { numbers: [1] } });
    await fetch(signed.body.urls[1] ?? "", { method: "PUT", body: "0123456789" });
    await api.get(`${opened.body.companion_url}/s3/multipart/${opened.body.id}?key=${canary}`);
    const streams = await api
      .as(ana)
      .get<Record<string, string>>(`/tracks/${secretTrack.id}/streams?secret_token=${secretTrack.secret}`);
    for (const url of Object.values(streams.body)) await fetch(url);
    await api.get(`/me?q=${canary}`, {
      headers: {
        Authorization: `OAuth ${canary}`,
        "User-Agent": canary,
        Cookie: canary,
        Referer: `http://x/${canary}`,
      },
    });
    await send("/tracks", `{"track":{"title":"${canary}`);
    await api.as(ana).get(`/tracks/${canary}/${canary}`);
    await fetch(`${stack.urls.api}/${canary}/${canary}/s-${canary}`);
    await api.as(ana).delete(`/uploads/${opened.body.id}`);

    const secrets = {
      canary,
      "access token": ana.token.slice(-40),
      "secret token": secretTrack.secret,
      "companion URL": opened.body.companion_url.split("/").pop() ?? "",
      "part URL": new URL(signed.body.urls[1] ?? "").searchParams.get("X-Amz-Signature") ?? "",
      "media URL": new URL(streams.body.hls_aac_160_url ?? "").pathname.split("/")[2] ?? "",
      "storage's key": stack.secrets.S3_SECRET_ACCESS_KEY,
      "signing key": stack.secrets.SIGNING_KEYS,
      "database's password": stack.secrets.DATABASE_APP_PASSWORD,
    };
    const logs = join(stack.dataDir, "logs");
    for (const file of readdirSync(logs)) {
      const text = readFileSync(join(logs, file), "utf8");
      for (const [name, secret] of Object.entries(secrets))
        expect([file, name, text.includes(secret)]).toEqual([file, name, false]);
    }
  });

  test("names the constraint that a row violates, and none of its values", async () => {
    const value = `canary${randomBytes(8).toString("hex")}`;
    const twice = "insert into users (permalink, username) values ($1, 'a'), ($1, 'b')";
    for (const url of [stack.databaseUrl, stack.appDatabaseUrl])
      await expect(poolOf(url).query(twice, [value])).rejects.toMatchObject({ code: "23505" });
    const text = logText(stack.dataDir, "postgres");
    expect(text).toContain('violates unique constraint "users_permalink_key"');
    expect(text).not.toContain(value);
  });

  test.each([
    ["a declared length", "Content-Length: 500\r\n\r\nabc"],
    ["chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
  ])("400, not a failure of the service: a client that hangs up within a body of %s", async (_what, rest) => {
    const { host, hostname, port } = new URL(stack.urls.api);
    const requestIds: unknown[] = [];
    const hangUp = async () => {
      const requestId = randomUUID();
      requestIds.push(requestId);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /oauth/token HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: ${requestId}\r\nContent-Type: application/x-www-form-urlencoded\r\n${rest}`,
      );
      await sleep(200 * requestIds.length);
      socket.destroy();
    };
    // A busy machine may not yet have handed the request on by then, so the next client hangs up later.
    const logged = async () => {
      await hangUp();
      return workerLog().find(({ request_id }) => requestIds.includes(request_id));
    };
    await expect.poll(logged).toMatchObject({ status: 400, level: "info" });
  });

  test("a trace goes from an upload through statement, job and transcoder", async () => {
    const traceId = randomBytes(16).toString("hex");
    const form = new FormData();
    form.set("track[title]", "Traced");
    form.set("track[asset_data]", shortWav(), "short.wav");
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const { body: track } = await api.as(ana).post<Track>("/tracks", { raw: form, headers });
    await waitForEncode(ana, track.id);
    const ofTrace = (lines: Record<string, unknown>[], event: string) =>
      lines.filter((line) => line.trace_id === traceId && line.event === event);
    const [request] = ofTrace(workerLog(), "request");
    expect(request).toMatchObject({ route: "/tracks", parent_span_id: "00f067aa0ba902b7" });
    // The row's default reads the statement's comment.
    expect(await sql("select traceparent from encoding_jobs where track_id = $1", [track.id])).toEqual([
      { traceparent: `00-${traceId}-${request?.span_id}-01` },
    ]);
    expect(ofTrace(workerLog(), "job_finished")).toEqual([
      expect.objectContaining({ track: track.id, parent_span_id: request?.span_id }),
    ]);
    const logs = readdirSync(join(stack.dataDir, "logs")).filter((name) => name.startsWith("transcoder"));
    const started = logs.map((name) => readFileSync(join(stack.dataDir, "logs", name), "utf8")).join("");
    expect(started).toMatch(new RegExp(`"event":"job_started".*"trace_id":"${traceId}"`));
  });

  test("an unsampled trace is only logged, and a malformed one is ignored", async () => {
    const ids = ["a", "b", "c"].map((each) => each.repeat(32));
    const headers = [
      `00-${ids[0]}-00f067aa0ba902b7-00`,
      `00-${ids[1]}-00f067aa0ba902b7`,
      `00-${ids[2]}-00f067aa0ba902b7-01' or 1=1 --`,
    ];
    for (const traceparent of headers)
      expect((await api.as(ana).get("/me", { headers: { traceparent } })).status).toBe(200);
    const logged = ids.map((id) => workerLog().filter(({ trace_id }) => trace_id === id).length);
    expect(logged).toEqual([1, 0, 0]);
  });

  test("cannot be forged by line breaks in a request (X92)", async () => {
    const forged = `x%0d%0a{"event":"forged","ts":1}%1b[31m`;
    await api.as(ana).get(`/tracks/${forged}`);
    await api.as(ana).get(`/me/tracks?limit=${forged}`);
    await fetch(`${stack.urls.api}/${forged}`);
    const text = logText(stack.dataDir, "worker");
    expect(text).not.toContain("\x1b");
    expect(workerLog().filter(({ event }) => event === "forged")).toEqual([]);
  });
});
