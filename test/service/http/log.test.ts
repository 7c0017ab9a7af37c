import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/uploads/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { JSON_TYPE } from "../attacks/raw-requests.support.ts";

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

  test("cannot be forged by line breaks in a request (X92)", async () => {
    const forged = `x%0d%0a{"event":"forged","ts":1}%1b[31m`;
    await api.as(ana).get(`/tracks/${forged}`);
    await api.as(ana).get(`/me/tracks?limit=${forged}`);
    await fetch(`${stack.urls.api}/${forged}`);
    const text = readFileSync(join(stack.dataDir, "logs/worker.log"), "utf8");
    expect(text).not.toContain("\x1b");
    expect(workerLog().filter(({ event }) => event === "forged")).toEqual([]);
  });
});
