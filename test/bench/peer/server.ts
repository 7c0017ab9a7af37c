import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import pg from "pg";
import { PEER_TABLE, postgresAdapter } from "./adapter.ts";
import type { PeerOptions, PeerReady } from "./token-options.ts";

const API = "https://api.example";
const ACCOUNT = "1";
const HOUR_S = 3600;
/** The Neon proxy's number of connections. */
const CONNECTIONS = 20;

const options = JSON.parse(process.argv[2] ?? "{}") as PeerOptions;
const pool = new pg.Pool({ connectionString: options.databaseUrl, max: CONNECTIONS });
await pool.query(PEER_TABLE);
const adapter = postgresAdapter(pool);
const { privateKey } = await generateKeyPair("ES256", { extractable: true });

const provider = new Provider("http://localhost", {
  adapter,
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "bench" }] },
  scopes: ["openid", "offline_access", "api"],
  rotateRefreshToken: true,
  ttl: { AccessToken: HOUR_S, ClientCredentials: HOUR_S, RefreshToken: 24 * HOUR_S, Grant: 24 * HOUR_S },
  findAccount: (_ctx: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  cookies: { keys: ["bench"] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "api",
        audience: API,
        accessTokenTTL: HOUR_S,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "ES256" } },
      }),
    },
  },
});

for (const client_id of options.clientIds)
  await adapter("Client").upsert(client_id, {
    client_id,
    client_secret: options.clientSecret,
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    response_types: ["code"],
    redirect_uris: ["https://client.example/callback"],
    id_token_signed_response_alg: "ES256",
  });

/** Imitates consent in a browser. */
async function granted(clientId: string | undefined) {
  const client = await provider.Client.find(clientId ?? "");
  if (!client) throw new Error("The peer does not know its own client");
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId });
  grant.addOIDCScope("openid");
  grant.addResourceScope(API, "api");
  const grantId = await grant.save(24 * HOUR_S);
  return { accountId: ACCOUNT, client, grantId, gty: "authorization_code" };
}

const refreshTokens = await Promise.all(
  Array.from({ length: options.refreshTokens }, async (_, index) => {
    const grant = await granted(options.clientIds[index % options.clientIds.length]);
    return new provider.RefreshToken({ ...grant, scope: "api", resource: API }).save(24 * HOUR_S);
  }),
);
const opaque = { ...(await granted(options.clientIds[0])), scope: "openid" };
const accessToken = await new provider.AccessToken(opaque).save(HOUR_S);

const server = createServer(provider.callback());
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port, refreshTokens, accessToken } satisfies PeerReady));
});
