import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** Counts connections to a server that no uploaded file may make us contact. */
export async function startStranger() {
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    port,
    url: `http://127.0.0.1:${port}/a.ts`,
    visits: () => visits,
    close: () => void server.close(),
  };
}

type Address = Pick<Awaited<ReturnType<typeof startStranger>>, "host" | "port" | "url">;

/** Playlists that make a player fetch the given address. */
export const playlistsNaming = ({ url, host, port }: Address): Record<string, string> => ({
  HLS: `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${url}\n#EXT-X-ENDLIST\n`,
  "an HLS master": `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}\n`,
  "an HLS key": `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${url}"\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
  DASH: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>`,
  ffconcat: `ffconcat version 1.0\nfile '${url}'\nfile '/etc/passwd'\n`,
  SDP: `v=0\no=- 0 0 IN IP4 ${host}\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${port} RTP/AVP 0\n`,
  PLS: `[playlist]\nNumberOfEntries=1\nFile1=${url}\nVersion=2\n`,
  M3U: `${url}\n`,
  ASX: `<asx version="3.0"><entry><ref href="${url}"/></entry></asx>`,
  "an ASF reference": `[Reference]\nRef1=${url}\n`,
});
