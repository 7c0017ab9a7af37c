import { baseOf } from "./address.ts";
import { browserStore } from "./browser-store.ts";
import { Client, type TokenSource } from "./client.ts";
import { createDiscovery } from "./discovery.ts";
import { RETRIES, type RetryOptions } from "./retry.ts";
import type { Fetch, Transport } from "./send.ts";
import { Session } from "./session.ts";
import { memoryStore, type Store } from "./store.ts";
import { createTokenEndpoint } from "./token-endpoint.ts";

export * from "./api-errors.ts";
export { browserStore } from "./browser-store.ts";
export type { Client } from "./client.ts";
export {
  ApiError,
  ConnectionError,
  OAuthError,
  type OAuthErrorCode,
  type Refusal,
  SignInRequiredError,
  SoundpostError,
} from "./errors.ts";
export type { EventOptions, EventStream } from "./events.ts";
export type { Session } from "./session.ts";
export { memoryStore, type Store } from "./store.ts";
export type {
  Input,
  ItemOf,
  ListPath,
  Page,
  PathOf,
  Reply,
  Schemas,
  StreamEvent,
  WebhookEvent,
} from "./types.ts";

export interface ClientOptions {
  /** The API's address, such as `https://api.soundpost.example`. */
  apiUrl: string;
  /** The app's credentials, for signing in. A public app has no secret. */
  clientId?: string;
  clientSecret?: string | undefined;
  /** A token that the caller manages, in place of the session. */
  token?: TokenSource;
  /** Stores the session. Default: the browser's storage, elsewhere the program's memory. */
  store?: Store;
  retries?: Partial<RetryOptions>;
  /** Milliseconds without a reply, 30,000 by default. */
  timeoutMs?: number;
  fetch?: Fetch;
}

export function createClient(options: ClientOptions): Client {
  const { clientId, clientSecret, token, timeoutMs = 30_000 } = options;
  const apiUrl = baseOf(options.apiUrl);
  const transport: Transport = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    retries: { ...RETRIES, ...options.retries },
    timeoutMs,
  };
  const discover = createDiscovery(transport, apiUrl);
  const app = clientId ? { clientId, clientSecret } : undefined;
  const endpoint = createTokenEndpoint(transport, discover, app);
  const store =
    options.store ?? ("indexedDB" in globalThis && "document" in globalThis ? browserStore() : memoryStore());
  const session = new Session({
    discover,
    endpoint,
    store,
    name: `soundpost:${apiUrl}:${clientId}`,
  });
  return new Client({ transport, apiUrl, session, token });
}
