import type { Client } from "./client.ts";
import type { Schemas } from "./types.ts";
import { putPart } from "./upload-part.ts";
import { PartUrls } from "./upload-urls.ts";

export interface PartsWork {
  client: Client;
  file: Blob;
  session: Schemas["UploadWithParts"];
  parallel: number;
  signal: AbortSignal;
  onBytes: (sent: number) => void;
}

interface Part {
  number: number;
  etag: string;
}

/** Uploads the missing parts, several in parallel, and returns all in order. */
export async function sendParts(work: PartsWork): Promise<Part[]> {
  const { client, file, session, parallel, signal, onBytes } = work;
  const blobOf = (number: number) => file.slice((number - 1) * session.part_size, number * session.part_size);
  const stored = new Map<number, string>();
  const bytes = new Map<number, number>();
  const note = (number: number, sent: number) => {
    bytes.set(number, sent);
    onBytes([...bytes.values()].reduce((sum, each) => sum + each, 0));
  };
  for (const { number, size, etag } of session.parts)
    if (size === blobOf(number).size) {
      stored.set(number, etag);
      note(number, size);
    }

  const numbers = Array.from({ length: session.part_count }, (_, index) => index + 1);
  const missing = numbers.filter((number) => !stored.has(number));
  // The first failure aborts the others.
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  const urls = new PartUrls(client, session.id, [...missing], either);
  const sendNext = async () => {
    for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
      const part = { number, blob: blobOf(number), urls, signal: either };
      stored.set(number, await putPart(part, (sent) => note(part.number, sent)));
      note(number, part.blob.size);
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, sendNext));
  } catch (error) {
    end.abort(error);
    throw error;
  }
  return numbers.map((number) => ({ number, etag: stored.get(number) ?? "" }));
}
