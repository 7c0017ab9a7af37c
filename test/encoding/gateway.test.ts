import { randomBytes } from "node:crypto";
import { HeadObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { sign } from "../../functions/lib/security/signing.ts";
import { issueTicket } from "../../workers/encoding/ticket.ts";
import { MEDIA_BUCKET } from "../../workers/local/worker/bindings.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createReadyUpload, createTrack, s3 } from "../support/tracks.ts";
import { BEAT, FINISHED, gateway, holdLease, jobOf, keys, LOST, leaseOf, report } from "./leases.support.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

describe("the transcoder's gateway", () => {
  test("accepts our ticket for its track until it expires", async () => {
    const [track, other] = [await createTrack(ana), await createTrack(ana)];
    const ticket = await holdLease(track);
    const past = Math.floor(Date.now() / 1000) - 1;
    const claims = (expires: number) => JSON.stringify([track.id, 1, leaseOf(track), expires, "pool-0"]);
    const wrong: Record<string, string | undefined> = {
      none: undefined,
      empty: "",
      junk: "x.y",
      changed: ticket.replace(/^./, (first) => (first === "A" ? "B" : "A")),
      "cut short": ticket.slice(0, -1),
      expired: sign(keys, "ticket", claims(past)),
      "another purpose's": sign(keys, "media", claims(past + 3_600)),
      "another key's": sign(
        { SIGNING_KEYS: randomBytes(32).toString("base64") },
        "ticket",
        claims(past + 3_600),
      ),
      "another track's": issueTicket(keys, {
        track: other.id,
        attempt: 1,
        lease: leaseOf(other),
        transcoder: "pool-0",
      }),
      "a person's": ana.token,
    };
    for (const [name, one] of Object.entries(wrong)) {
      const statuses = await Promise.all([
        gateway(track.id, "source", one),
        gateway(track.id, "outputs/preview.mp3", one, { method: "PUT", body: "x" }),
        gateway(track.id, "report/heartbeat", one, { method: "POST", body: JSON.stringify(BEAT) }),
        gateway(track.id, "report/finished", one, { method: "POST", body: JSON.stringify(FINISHED) }),
        gateway(track.id, "report/failed", one, { method: "POST", body: JSON.stringify(LOST) }),
      ]);
      expect([name, statuses.map(({ status }) => status)]).toEqual([name, [401, 401, 401, 401, 401]]);
    }
    expect(await jobOf(track.id)).toMatchObject({ job: "leased", progress: 0 });
    expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(200);
    const front = await fetch(`${stack.urls.api}/jobs/${track.id}/source`, {
      headers: { Authorization: `Bearer ${ticket}` },
    });
    expect(front.status).toBe(404);
    await sql("delete from tracks where id = any($1)", [[track.id, other.id]]);
  });

  test("accepts only outputs of an encode, below the attempt's own prefix", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const put = async (name: string, body: BodyInit = "x") =>
      (await gateway(track.id, `outputs/${name}`, ticket, { method: "PUT", body })).status;
    const names = [
      "x",
      "master.m3u8",
      "hls/320/0.m4s",
      "hls/160/x.m4s",
      "hls/160/0.m4s/x",
      "mp3/100000.mp3",
      "mp3/-1.mp3",
      "preview.mp3.exe",
      "waveform.svg",
      "%2e%2e%2fx",
      "hls%2f160%2f..%2f..%2fx",
      "..%5cx",
      "preview.mp3%00",
    ];
    for (const name of names) expect([name, await put(name)]).toEqual([name, 404]);
    expect(await put("preview.mp3", "")).toBe(411);
    for (const name of [
      "hls/160/init.mp4",
      "hls/96/0.m4s",
      "mp3/0.mp3",
      "preview.mp3",
      "waveform.png",
      "waveform.json",
    ]) {
      expect([name, await put(name)]).toEqual([name, 200]);
      const stored = await s3.send(new HeadObjectCommand({ Bucket: MEDIA_BUCKET, Key: track.prefix + name }));
      expect(stored.ContentLength).toBe(1);
    }
    await sql("delete from tracks where id = $1", [track.id]);
  });

  test("serves the source in ranges", async () => {
    const upload = await createReadyUpload(ana, new Blob(["0123456789"]));
    const [row] = await sql("select object_key from uploads where id = $1", [upload.id]);
    const track = await createTrack(ana, { original_key: row?.object_key, original_content_size: 10 });
    const ticket = await holdLease(track);
    const ask = async (range: string) => {
      const reply = await gateway(track.id, "source", ticket, { headers: { Range: range } });
      return [reply.status, await reply.text(), reply.headers.get("Content-Range")];
    };
    expect(await ask("bytes=2-4")).toEqual([206, "234", "bytes 2-4/10"]);
    expect(await ask("bytes=8-")).toEqual([206, "89", "bytes 8-9/10"]);
    expect(await ask("bytes=10-")).toEqual([416, "", "bytes */10"]);
    expect(await ask("")).toEqual([200, "0123456789", null]);
    await sql("delete from tracks where id = $1", [track.id]);
  });
});
