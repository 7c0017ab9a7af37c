import { OAuthError, SignInRequiredError } from "./errors.ts";
import { pause } from "./retry.ts";
import type { Store } from "./store.ts";
import type { TokenEndpoint, Tokens } from "./token-endpoint.ts";

/** Milliseconds that a token must remain valid. */
const RESERVE_MS = 30_000;
/** Milliseconds for another tab to store its tokens where no lock is available. */
const OTHERS_MS = 1000;

/** The session's tokens in the store. One user of the store refreshes them; the others read the result. */
export class SessionTokens {
  readonly #store: Store;
  readonly #key: string;
  readonly #endpoint: TokenEndpoint;
  #renewing: Promise<string> | undefined;

  constructor(store: Store, key: string, endpoint: TokenEndpoint) {
    this.#store = store;
    this.#key = key;
    this.#endpoint = endpoint;
  }

  async read(): Promise<Tokens | undefined> {
    const stored = await this.#store.get(this.#key);
    return stored === undefined ? undefined : JSON.parse(stored);
  }

  /** Waits for a running refresh, whose tokens would otherwise replace these. */
  write = (tokens: Tokens): Promise<void> => this.#store.lock(this.#key, async () => this.#put(tokens));

  /** Removes and returns the tokens, after a running refresh. */
  take = (): Promise<Tokens | undefined> =>
    this.#store.lock(this.#key, async () => {
      const tokens = await this.read();
      await this.#put(undefined);
      return tokens;
    });

  /** An access token that remains valid for a while. `undefined`: nobody is signed in. */
  async current(): Promise<string | undefined> {
    const tokens = await this.read();
    if (!tokens || tokens.expiresAt - RESERVE_MS > Date.now()) return tokens?.accessToken;
    return this.renew(tokens.accessToken);
  }

  /** Replaces an access token that has expired or was refused. */
  renew(stale: string): Promise<string> {
    const renewed = () => this.#store.lock(this.#key, () => this.#replace(stale));
    this.#renewing ??= renewed().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #replace(stale: string): Promise<string> {
    const tokens = await this.read();
    if (!tokens) throw new SignInRequiredError("Nobody is signed in");
    if (tokens.accessToken !== stale) return tokens.accessToken;
    const next = await this.#refresh(tokens);
    await this.#put(next);
    return next.accessToken;
  }

  #put = async (tokens: Tokens | undefined): Promise<void> =>
    this.#store.set(this.#key, tokens && JSON.stringify(tokens));

  async #refresh({ refreshToken, ofApp, accessToken }: Tokens): Promise<Tokens> {
    if (ofApp) return this.#endpoint.ofApp();
    try {
      return await this.#endpoint.ofUser({ grant_type: "refresh_token", refresh_token: refreshToken ?? "" });
    } catch (error) {
      if (!(error instanceof OAuthError) || error.code !== "invalid_grant") throw error;
      await pause(OTHERS_MS);
      const others = await this.read();
      if (others && others.accessToken !== accessToken) return others;
      await this.#put(undefined);
      throw new SignInRequiredError("The session has ended", { cause: error });
    }
  }
}
