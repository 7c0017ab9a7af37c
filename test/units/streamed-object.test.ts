import { expect, test } from "vitest";
import type { Storage } from "../../db/objects/open.ts";
import { ObjectStoreUnavailable } from "../../db/objects/port.ts";
import { StreamedObject } from "../../functions/api/uploads/object-stream.ts";

const MIB = 2 ** 20;

/** Accepts everything and records the requests. */
function storage(asked: string[]): Storage {
  const multipart = {
    create: async () => "upload",
    putPart: async (_key: string, _id: string, number: number, pieces: Uint8Array[]) => {
      asked.push(`part ${number}: ${pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)}`);
      return `etag-${number}`;
    },
    complete: async (_key: string, _id: string, parts: { number: number; etag: string }[]) => {
      asked.push(`complete: ${parts.map(({ etag }) => etag)}`);
      return "completed";
    },
    abort: async () => void asked.push("abort"),
  };
  const objects = {
    head: async () => ({ size: 40 * MIB }),
    put: async (_bucket: string, _key: string, { size }: { size: number }) => void asked.push(`put: ${size}`),
    deletePrefix: async () => asked.push("delete") > 0,
  };
  return { objects, multipart } as unknown as Storage;
}

test("parts but the last have equal size and come in order", async () => {
  const asked: string[] = [];
  const object = new StreamedObject(storage(asked), "key", "audio/wav", 4096 * MIB);
  for (let left = 40; left > 0; left -= 4) await object.write(new Uint8Array(4 * MIB));
  await object.finish();
  const parts = [`part 1: ${16 * MIB}`, `part 2: ${16 * MIB}`, `part 3: ${8 * MIB}`];
  expect(asked).toEqual([...parts, "complete: etag-1,etag-2,etag-3"]);
});

test("an object that storage put together to another length is not taken for stored", async () => {
  const object = new StreamedObject(storage([]), "key", "audio/wav", 4096 * MIB);
  for (let left = 36; left > 0; left -= 4) await object.write(new Uint8Array(4 * MIB));
  await expect(object.finish()).rejects.toThrow(ObjectStoreUnavailable);
});

test("an object of one part is put at once", async () => {
  const asked: string[] = [];
  const object = new StreamedObject(storage(asked), "key", "audio/wav", 4096 * MIB);
  await object.write(new Uint8Array(16 * MIB));
  await object.finish();
  expect(asked).toEqual([`put: ${16 * MIB}`]);
});

test("a body beyond its announced size is stopped, and its earlier parts are removed", async () => {
  const asked: string[] = [];
  const object = new StreamedObject(storage(asked), "key", "audio/wav", 18 * MIB);
  await object.write(new Uint8Array(18 * MIB));
  await expect(object.write(new Uint8Array(1))).rejects.toMatchObject({ status: 413 });
  await object.abandon();
  expect(asked).toEqual([`part 1: ${16 * MIB}`, "abort", "delete"]);
  // A second call finds nothing to do.
  await object.abandon();
});
