import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { expect, test } from "vitest";
import { type ClientApp, type ConsentBrowser, createClientApp, createVisitor } from "../support/consent.ts";
import { stack } from "../support/stack.ts";

const ISSUER = new URL(stack.urls.api);
/** The local stack speaks http. Every other check of the clients stays on. */
const INSECURE = { [oauth.allowInsecureRequests]: true };

async function discovered(): Promise<oauth.AuthorizationServer> {
  const reply = await oauth.discoveryRequest(ISSUER, { algorithm: "oauth2", ...INSECURE });
  return oauth.processDiscoveryResponse(ISSUER, reply);
}

const pathOf = (url: URL) => url.pathname + url.search;

/** The URL that the user's browser returns to the app. */
async function approved(browser: ConsentBrowser, url: URL): Promise<URL> {
  const { location } = await browser.approve(pathOf(url));
  return new URL(location ?? "");
}

async function authorized(as: oauth.AuthorizationServer, app: ClientApp) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint ?? "");
  url.search = String(
    new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: app.redirect_uri,
      response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    }),
  );
  const { user, browser } = await createVisitor();
  return { user, verifier, state, callback: await approved(browser, url) };
}

test("oauth4webapi, unmodified, runs discovery, code, use, refresh, introspection, revocation and JWT validation (O36, O115, O117)", async () => {
  const as = await discovered();
  const app = await createClientApp();
  const client: oauth.Client = { client_id: app.client_id };
  const secret = oauth.ClientSecretPost(app.client_secret);
  const { user, verifier, state, callback } = await authorized(as, app);
  const parameters = oauth.validateAuthResponse(as, client, callback, state);
  const codeReply = await oauth.authorizationCodeGrantRequest(
    ...([as, client, secret, parameters, app.redirect_uri, verifier] as const),
    INSECURE,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, codeReply);
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "" });

  const api = new URL("/me", ISSUER);
  const me = await oauth.protectedResourceRequest(tokens.access_token, "GET", api, undefined, null, INSECURE);
  expect(((await me.json()) as { id: number }).id).toBe(user.id);
  const request = new Request(api, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
  const claims = await oauth.validateJwtAccessToken(as, request, stack.urls.api, INSECURE);
  expect(claims).toMatchObject({ sub: `u:${user.id}`, client_id: app.client_id });

  const refreshReply = await oauth.refreshTokenGrantRequest(
    ...([as, client, secret, tokens.refresh_token ?? ""] as const),
    INSECURE,
  );
  const fresh = await oauth.processRefreshTokenResponse(as, client, refreshReply);
  const introspect = async (token: string) =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, secret, token, INSECURE),
    );
  expect(await introspect(fresh.access_token)).toMatchObject({ active: true, client_id: app.client_id });
  const revoked = await oauth.revocationRequest(as, client, secret, fresh.refresh_token ?? "", INSECURE);
  await oauth.processRevocationResponse(revoked);
  expect(await introspect(fresh.access_token)).toEqual({ active: false });
});

test("a response from another issuer or with another state is detected (O36)", async () => {
  const as = await discovered();
  const app = await createClientApp();
  const client: oauth.Client = { client_id: app.client_id };
  const { state, callback } = await authorized(as, app);
  const other = new URL(callback);
  other.searchParams.set("iss", `${stack.urls.api}/`);
  expect(() => oauth.validateAuthResponse(as, client, other, state)).toThrow();
  expect(() => oauth.validateAuthResponse(as, client, callback, `${state}x`)).toThrow();
  const denied = new URL(callback.origin + callback.pathname);
  denied.search = String(new URLSearchParams({ error: "access_denied", state, iss: stack.urls.api }));
  expect(() => oauth.validateAuthResponse(as, client, denied, state)).toThrow(
    oauth.AuthorizationResponseError,
  );
});

test("oauth4webapi understands our refusals (O115)", async () => {
  const as = await discovered();
  const app = await createClientApp();
  const client: oauth.Client = { client_id: app.client_id };
  const secret = oauth.ClientSecretPost(app.client_secret);
  const reply = await oauth.refreshTokenGrantRequest(as, client, secret, "rt_x", INSECURE);
  await expect(oauth.processRefreshTokenResponse(as, client, reply)).rejects.toMatchObject({
    error: "invalid_grant",
  });
});

test.each([
  ["client_secret_post", openid.ClientSecretPost, "oauth2"],
  ["client_secret_basic", openid.ClientSecretBasic, "oidc"],
] as const)("openid-client, unmodified, works with %s (O116)", async (_method, authenticate, algorithm) => {
  const app = await createClientApp();
  const config = await openid.discovery(ISSUER, app.client_id, undefined, authenticate(app.client_secret), {
    algorithm,
    execute: [openid.allowInsecureRequests],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: app.redirect_uri,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
  });
  const { user, browser } = await createVisitor();
  const callback = await approved(browser, url);
  const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
  expect(tokens.expiresIn()).toBeGreaterThan(3500);

  const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
  const me = await openid.fetchProtectedResource(config, fresh.access_token, new URL("/me", ISSUER), "GET");
  expect(((await me.json()) as { id: number }).id).toBe(user.id);
  expect(await openid.tokenIntrospection(config, fresh.access_token)).toMatchObject({ active: true });
  await openid.tokenRevocation(config, fresh.access_token);
  expect(await openid.tokenIntrospection(config, fresh.access_token)).toEqual({ active: false });
});

test("openid-client gets an app's own token with header authentication (O69, O116)", async () => {
  const app = await createClientApp();
  const basic = openid.ClientSecretBasic(app.client_secret);
  const config = await openid.discovery(ISSUER, app.client_id, undefined, basic, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  });
  const tokens = await openid.clientCredentialsGrant(config);
  expect(tokens.scope).toBe("");
  expect(typeof tokens.refresh_token).toBe("string");
});
