import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../local/stack/settings.ts";
import { about, type Finding, reasonOf } from "./finding.ts";

const PATIENCE_MS = 10_000;
const DAY_MS = 24 * 3600 * 1000;
/** Certificates of ACME are renewed a month before they end. */
const SOON_DAYS = 14;

/** Requests each public address the way clients do. */
export async function* addressChecks(
  { server, storage, env }: Settings,
  isRunning: boolean,
): AsyncGenerator<Finding> {
  const { api, auth, web, older, objects } = server.urls;
  const { ok, warning } = about("addresses");
  if (!server.isPublic) yield ok(`Only this machine reaches ${api}. For others, set API_URL and OBJECTS_URL`);
  else if (!server.behindProxy)
    yield warning(
      `${api} has no TLS: passwords cross the network readable. Put a proxy before it, see service`,
    );
  if (server.isPublic && !server.behindProxy && new URL(api).hostname === "localhost")
    yield about("addresses").wrong(
      "BIND opens the server to others, but API_URL names no host: links lead nowhere",
    );
  if (!server.isPublic && !isRunning) return;
  const asked = new Map([
    [api, "/healthz"],
    [auth, "/healthz"],
    [web, "/healthz"],
  ]);
  if (env.OLDER_BEHAVIOUR === "on") asked.set(older, "/healthz");
  if (!storage) asked.set(objects, "/");
  for (const [url, path] of asked) yield await addressCheck(url, path);
}

async function addressCheck(url: string, path: string): Promise<Finding> {
  const { ok, wrong } = about("addresses");
  const { hostname, protocol } = new URL(url);
  const known = isIP(hostname) || (await lookup(hostname).catch(() => undefined));
  if (!known) return wrong(`${hostname} has no address in DNS`);
  const certificate = protocol === "https:" ? await certificateCheck(url) : undefined;
  if (certificate?.state === "wrong") return certificate;
  try {
    const reply = await fetch(new URL(path, url), {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "manual",
    });
    await reply.body?.cancel();
    // A refusal shows that storage is there.
    const isOurs = path === "/" ? reply.headers.has("x-amz-request-id") : reply.ok;
    if (!isOurs)
      return wrong(`${url} answers ${reply.status}, not Soundpost: where does the proxy send this host?`);
    return certificate ?? ok(`${url} answers`);
  } catch (error) {
    return wrong(`${url} does not answer: ${reasonOf(error)}`);
  }
}

/** Trusts what Node trusts: NODE_EXTRA_CA_CERTS adds a private authority. */
function certificateCheck(url: string): Promise<Finding> {
  const { ok, warning, wrong } = about("addresses");
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    socket.setTimeout(PATIENCE_MS, () => end(wrong(`${url} does not answer in time`)));
    socket.once("error", (error) => end(wrong(`${url}: ${reasonOf(error)}`)));
    socket.once("secureConnect", () => {
      const ends = new Date(socket.getPeerCertificate().valid_to);
      const days = Math.floor((ends.getTime() - Date.now()) / DAY_MS);
      const until = `its certificate is good until ${ends.toISOString().slice(0, 10)}`;
      // A private authority's certificate may last only hours, because the authority renews it all the time.
      const lifetime = ends.getTime() - new Date(socket.getPeerCertificate().valid_from).getTime();
      const isLate = days < SOON_DAYS && lifetime > 2 * SOON_DAYS * DAY_MS;
      end(isLate ? warning(`${url}: ${until}, and nobody has renewed it`) : ok(`${url} answers; ${until}`));
    });
  });
}
