import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** Another podcast host, which the tests make behave as they like. */
interface Served {
  bytes: Uint8Array | string;
  type?: string;
  /** Answers instead of the file. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

interface Asked {
  path: string;
  range: string | undefined;
  ifRange: string | string[] | undefined;
  agent: string | undefined;
}

export async function startFeedServer() {
  const files = new Map<string, Served>();
  const asked: Asked[] = [];
  let open = 0;
  let mostOpen = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const served = files.get(path);
    const { range, "if-range": ifRange, "user-agent": agent } = request.headers;
    asked.push({ path, range, ifRange, agent });
    if (!served) return void response.writeHead(404).end();
    if (path.endsWith(".xml") === false) {
      mostOpen = Math.max(mostOpen, ++open);
      response.on("close", () => open--);
    }
    if (served.answer) return served.answer(request, response);
    send(request, response, served);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    askedFor: (path: string) => asked.filter((one) => one.path === path),
    mostOpen: () => mostOpen,
    serve(path: string, served: Served): string {
      files.set(path, served);
      return origin + path;
    },
    /** Answers as usual, for a path whose `answer` has had its turn. */
    send: (request: IncomingMessage, response: ServerResponse) =>
      send(request, response, { ...(files.get(request.url ?? "") as Served) }),
  };
}
export type FeedServer = Awaited<ReturnType<typeof startFeedServer>>;

function send(request: IncomingMessage, response: ServerResponse, served: Served): void {
  const bytes = Buffer.from(served.bytes as Uint8Array);
  const tag = `"${bytes.byteLength}"`;
  const headers = { "Content-Type": served.type ?? "audio/mpeg", ETag: tag, "Accept-Ranges": "bytes" };
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  if (from === undefined) {
    response.writeHead(200, { ...headers, "Content-Length": bytes.byteLength }).end(bytes);
    return;
  }
  const rest = bytes.subarray(Number(from));
  const range = `bytes ${from}-${bytes.byteLength - 1}/${bytes.byteLength}`;
  response
    .writeHead(206, { ...headers, "Content-Length": rest.byteLength, "Content-Range": range })
    .end(rest);
}

interface FeedItem {
  guid: string;
  title?: string;
  url?: string | undefined;
  date?: string;
  more?: string;
}

const NAMESPACES =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"';

/** `channel` is further markup of the channel. */
export const feedOf = (title: string, channel: string, items: FeedItem[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ${NAMESPACES}><channel><title>${title}</title>${channel}${items
    .map(
      ({ guid, title = guid, url, date = "Sat, 01 Mar 2025 06:00:00 +0000", more = "" }) =>
        `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><pubDate>${date}</pubDate>${more}${
          url ? `<enclosure url="${url}" type="audio/mpeg" length="1"/>` : ""
        }</item>`,
    )
    .join("")}</channel></rss>`;

export const ownerOf = (email: string): string =>
  `<itunes:owner><itunes:name>Ana</itunes:name><itunes:email>${email}</itunes:email></itunes:owner>`;
