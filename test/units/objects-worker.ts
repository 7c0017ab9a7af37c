import { openStorage } from "../../db/objects/open.ts";
import type { Bucket, ByteRange } from "../../db/objects/port.ts";

type Env = Parameters<typeof openStorage>[0];

/** Exposes the port to object storage over HTTP, so that tests run it in workerd. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      return await answer(request, env);
    } catch (error) {
      // Reports storage faults by name, so that a `TypeError` of ours would show.
      return new Response(error instanceof Error ? error.name : String(error), { status: 503 });
    }
  },
};

async function answer(request: Request, env: Env): Promise<Response> {
  const { objects } = openStorage(env);
  const { pathname, searchParams } = new URL(request.url);
  const bucket = pathname.slice(1) as Bucket;
  const key = searchParams.get("key") ?? "";
  switch (request.method) {
    case "HEAD": {
      const found = await objects.head(bucket, key);
      return new Response(null, found ? { headers: { "X-Size": String(found.size) } } : { status: 404 });
    }
    case "GET": {
      const read = searchParams.has("relay") ? objects.relay : objects.get;
      const found = await read(bucket, key, rangeIn(searchParams));
      if (!found) return new Response(null, { status: 404 });
      const headers = { "X-Size": String(found.size), "X-Type": found.contentType };
      return new Response(found.body as BodyInit, { headers });
    }
    case "OPTIONS":
      await objects.ready();
      return new Response();
    case "PUT": {
      const size = Number(searchParams.get("size"));
      const stream = request.body ?? new Blob([]).stream();
      const body = { size, contentType: searchParams.get("type") ?? "", stream };
      if (searchParams.has("new")) return Response.json(await objects.putNew(bucket, key, body));
      await objects.put(bucket, key, body);
      return new Response();
    }
    case "PATCH":
      if (searchParams.has("measure")) return Response.json(await objects.measure(bucket, key));
      return Response.json(await objects.list(bucket, key));
    case "POST":
      await fill(Number(searchParams.get("count")), (n) => {
        const stream = new Blob(["x"]).stream();
        return objects.put(bucket, key + n, { size: 1, contentType: "text/plain", stream });
      });
      return new Response();
    default:
      return Response.json(await objects.deletePrefix(bucket, key));
  }
}

function rangeIn(given: URLSearchParams): ByteRange | undefined {
  const [start, end] = [given.get("start"), given.get("end")];
  return start === null ? undefined : { start: Number(start), ...(end !== null && { end: Number(end) }) };
}

/** Writes twenty at a time. */
async function fill(count: number, put: (n: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += 20) {
    await Promise.all(Array.from({ length: Math.min(20, count - from) }, (_, n) => put(from + n)));
  }
}
