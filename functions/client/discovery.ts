import { baseOf } from "./address.ts";
import { SoundpostError } from "./errors.ts";
import { jsonOf } from "./json.ts";
import { send, type Transport } from "./send.ts";

/** The authorization server's endpoints that the client uses. RFC 8414 */
export interface AuthorizationServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
}

type Discover = () => Promise<AuthorizationServer>;

/** Asks the API once for its authorization server (RFC 9728). */
export function createDiscovery(transport: Transport, apiUrl: string): Discover {
  let found: Promise<AuthorizationServer> | undefined;
  return () => {
    found ??= discover(transport, apiUrl).catch((error) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function discover(transport: Transport, apiUrl: string): Promise<AuthorizationServer> {
  const get = async <Body>(url: string) =>
    jsonOf<Body>(await send(transport, { url, method: "GET", repeatable: true }));
  const resource = await get<{ authorization_servers: [string] }>(
    `${apiUrl}/.well-known/oauth-protected-resource`,
  );
  const issuer = baseOf(resource.authorization_servers[0]);
  const server = await get<AuthorizationServer>(`${issuer}/.well-known/oauth-authorization-server`);
  // RFC 8414 §3.3: metadata of another issuer must be refused.
  if (baseOf(server.issuer) !== issuer) throw new SoundpostError(`${issuer} calls itself ${server.issuer}`);
  return server;
}
