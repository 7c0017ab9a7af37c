import type { AuthorizationServer } from "./discovery.ts";
import { isOAuthCode, OAuthError, SoundpostError } from "./errors.ts";
import { challengeOf, randomSecret } from "./pkce.ts";
import { SessionTokens } from "./session-tokens.ts";
import type { Store } from "./store.ts";
import type { TokenEndpoint } from "./token-endpoint.ts";

interface Pending {
  verifier: string;
  redirectUri: string;
}

export interface SessionParts {
  discover: () => Promise<AuthorizationServer>;
  endpoint: TokenEndpoint;
  store: Store;
  /** Names the app and its service in a store that other apps may share. */
  name: string;
}

/** A user's sign-in, by authorization code with PKCE, or the app's own. */
export class Session {
  readonly #parts: SessionParts;
  readonly tokens: SessionTokens;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.tokens = new SessionTokens(parts.store, `${parts.name}:tokens`, parts.endpoint);
  }

  /** Returns the URL to send the user to. `scope` is what the app needs, such as `read tracks`. Default: everything. */
  async begin(redirectUri: string, { scope }: { scope?: string } = {}): Promise<string> {
    const { endpoint, discover, store } = this.#parts;
    const { clientId } = endpoint.credentials();
    const [state, verifier] = [randomSecret(), randomSecret()];
    await store.set(this.#pendingKey(state), JSON.stringify({ verifier, redirectUri }));
    const url = new URL((await discover()).authorization_endpoint);
    const challenge = { code_challenge: await challengeOf(verifier), code_challenge_method: "S256" };
    const asked = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, state };
    const limit = scope && { scope };
    for (const [name, value] of Object.entries({ ...asked, ...challenge, ...limit }))
      url.searchParams.set(name, value);
    return url.href;
  }

  /** Completes the sign-in with the URL that the user returned to. */
  async finish(callback: string | URL): Promise<void> {
    const { searchParams: reply } = new URL(callback);
    const { redirectUri, verifier } = await this.#takePending(reply.get("state") ?? "");
    const error = reply.get("error");
    const description = reply.get("error_description") ?? "";
    if (isOAuthCode(error)) throw new OAuthError(error, description);
    if (error) throw new SoundpostError(description || error);
    const { endpoint, discover } = this.#parts;
    // RFC 9207: a code from another server must not be sent to this one.
    const issuer = reply.get("iss");
    if (issuer !== (await discover()).issuer) throw new SoundpostError(`The reply came from ${issuer}`);
    const grant = { grant_type: "authorization_code", code: reply.get("code") ?? "" };
    await this.tokens.write(
      await endpoint.ofUser({ ...grant, redirect_uri: redirectUri, code_verifier: verifier }),
    );
  }

  /** Signs in as the app itself, without a user. */
  beginAsApp = async (): Promise<void> => this.tokens.write(await this.#parts.endpoint.ofApp());

  /** Whether somebody is signed in. */
  isSignedIn = async (): Promise<boolean> => (await this.tokens.read()) !== undefined;

  /** Removes the tokens and ends the session at the service. */
  async end(): Promise<void> {
    const tokens = await this.tokens.take();
    // An expired access token no longer identifies the session; the refresh token does.
    if (tokens) await this.#parts.endpoint.revoke(tokens.refreshToken ?? tokens.accessToken);
  }

  #pendingKey = (state: string) => `${this.#parts.name}:pending:${state}`;

  /** A state works only once. */
  async #takePending(state: string): Promise<Pending> {
    const { store } = this.#parts;
    const stored = await store.get(this.#pendingKey(state));
    if (stored === undefined) throw new SoundpostError("This sign-in was not begun here, or is already done");
    await store.set(this.#pendingKey(state), undefined);
    return JSON.parse(stored);
  }
}
