import { randomFillSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Storage } from "../../db/objects/open.ts";
import { StreamedObject } from "../../functions/api/uploads/object-stream.ts";
import { multipartParts } from "../../functions/lib/http/body/multipart.ts";

const MIB = 2 ** 20;
const PART_BYTES = 16 * MIB;

/** Accepts parts late, so that memory reused too early becomes visible. */
function storage(parts: Buffer[]): Storage {
  const multipart = {
    create: async () => "upload",
    putPart: async (_key: string, _id: string, _number: number, pieces: Uint8Array[]) => {
      await sleep(5);
      parts.push(Buffer.concat(pieces));
      return "etag";
    },
    complete: async () => "completed",
  };
  const objects = {
    head: async () => ({ size: parts.reduce((sum, part) => sum + part.byteLength, 0) }),
    put: async (_bucket: string, _key: string, { stream }: { stream: ReadableStream<Uint8Array> }) =>
      void parts.push(Buffer.from(await new Response(stream as never).arrayBuffer())),
  };
  return { objects, multipart } as unknown as Storage;
}

const text = (name: string, value: string) =>
  `--b0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE_HEAD = `--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;

/** Imitates a client that writes `chunkBytes` at a time. */
function formWith(file: Buffer, chunkBytes: number): Request {
  const whole = Buffer.from([text("before", "1"), FILE_HEAD].join(""));
  const tail = Buffer.from(`\r\n${text("after", "2")}--b0undary--\r\n`);
  const sent = Buffer.concat([whole, file, tail]);
  let at = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (at < sent.byteLength) {
        controller.enqueue(new Uint8Array(sent.subarray(at, at + chunkBytes)));
        at += chunkBytes;
        return;
      }
      controller.close();
      // Lets a waiting read end.
      controller.byobRequest?.respond(0);
    },
  });
  const headers = { "Content-Type": "multipart/form-data; boundary=b0undary" };
  return new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

async function streamed(request: Request) {
  const parts: Buffer[] = [];
  const object = new StreamedObject(storage(parts), "key", "audio/wav", 4096 * MIB);
  const fields: string[] = [];
  for await (const part of multipartParts(request)) {
    if (part.kind === "field") fields.push(`${part.name}=${part.value}`);
    else for await (const chunk of part.content) part.keep(await object.write(chunk));
  }
  await object.finish();
  return { parts, fields };
}

/** Random bytes with the start of a delimiter at each multiple of `everyBytes`. */
function noise(size: number, everyBytes: number, like: string): Buffer {
  const bytes = randomFillSync(Buffer.alloc(size));
  for (let at = everyBytes; at < size; at += everyBytes) bytes.write(like, at - 3, "latin1");
  return bytes;
}

test.each<[string, Buffer, number]>([
  ["of one part", noise(PART_BYTES, PART_BYTES, ""), 64 * 1024],
  ["of two parts", noise(2 * PART_BYTES, 2 * PART_BYTES, ""), 1_000_000],
  ["of two parts and a byte", noise(2 * PART_BYTES + 1, 2 * PART_BYTES, ""), 1_000_000],
  ["of five parts", noise(5 * PART_BYTES - 7, 5 * PART_BYTES, ""), 3_000_000],
  ["full of beginnings of delimiters", noise(40 * MIB, 999, "\r\n--b0undarX"), 1_000_000],
  ["with beginnings where reads end", noise(40 * MIB, 1024, "\r\n--b0undarX"), MIB],
  ["with line ends where parts end", noise(40 * MIB, 16 * MIB, "\r\n--"), 4 * MIB],
  ["in tiny chunks", noise(300_000, 1_000, "\r\n--b0"), 7],
])("a file %s arrives in storage unchanged", async (_what, file, chunkBytes) => {
  const { parts, fields } = await streamed(formWith(file, chunkBytes));
  expect(fields).toEqual(["before=1", "after=2"]);
  expect(parts.slice(0, -1).map(({ byteLength }) => byteLength)).toEqual(
    Array.from({ length: Math.ceil(file.byteLength / PART_BYTES) - 1 }, () => PART_BYTES),
  );
  expect(Buffer.concat(parts).equals(file)).toBe(true);
});
