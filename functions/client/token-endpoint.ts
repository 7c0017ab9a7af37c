import type { AuthorizationServer } from "./discovery.ts";
import { SoundpostError } from "./errors.ts";
import { jsonOf } from "./json.ts";
import { send, type Transport } from "./send.ts";

/** An app's credentials. A public app has no secret. */
export interface App {
  clientId: string;
  clientSecret: string | undefined;
}

export interface Tokens {
  accessToken: string;
  refreshToken?: string | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The app itself, without a user. */
  ofApp?: boolean;
}

interface TokenReply {
  access_token: string;
  refresh_token?: string;
  /** Seconds. */
  expires_in: number;
}

type Discover = () => Promise<AuthorizationServer>;
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** Requests tokens. Retries even a grant that may already be used; a refresh has a key, so that it gets its lost reply. */
export function createTokenEndpoint(transport: Transport, discover: Discover, app: App | undefined) {
  /** The refresh token that was last sent, and its key. */
  let refreshed = { token: "", key: "" };
  const credentials = (): App => {
    if (app) return app;
    throw new SoundpostError("Signing in needs clientId");
  };
  const inForm = () => {
    const { clientId, clientSecret } = credentials();
    return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
  };
  const ask = async (form: Record<string, string>, headers = {}): Promise<Tokens> => {
    const { token_endpoint } = await discover();
    const body = `${new URLSearchParams(form)}`;
    const request = { method: "POST", headers: { ...FORM, ...headers }, body, repeatable: true };
    const reply = await jsonOf<TokenReply>(await send(transport, { url: token_endpoint, ...request }));
    const expiresAt = Date.now() + reply.expires_in * 1000;
    return { accessToken: reply.access_token, refreshToken: reply.refresh_token, expiresAt };
  };
  return {
    credentials,
    /** Ends a token's session. RFC 7009: a token that has already ended is no error. */
    revoke: async (token: string): Promise<void> => {
      const form = { token, ...inForm() };
      const request = {
        method: "POST",
        headers: FORM,
        body: `${new URLSearchParams(form)}`,
        repeatable: true,
      };
      await send(transport, { url: (await discover()).revocation_endpoint, ...request });
    },
    /** `form` holds the grant. */
    ofUser: (form: Record<string, string>) => {
      const { refresh_token: token } = form;
      if (token !== undefined && token !== refreshed.token) refreshed = { token, key: crypto.randomUUID() };
      const key = token === undefined ? undefined : { "Idempotency-Key": refreshed.key };
      return ask({ ...form, ...inForm() }, key);
    },
    ofApp: async () => {
      const { clientId, clientSecret } = credentials();
      if (!clientSecret) throw new SoundpostError("Signing in as the app itself needs clientSecret");
      const Authorization = `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(":"))}`;
      return { ...(await ask({ grant_type: "client_credentials" }, { Authorization })), ofApp: true };
    },
  };
}

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>;
