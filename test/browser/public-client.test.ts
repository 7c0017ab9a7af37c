import { expect, test } from "vitest";
import { createClientApp } from "../support/consent.ts";
import { createUserWithPassword } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { bundled } from "./blog.ts";
import { launchBrowser } from "./browser.ts";
import { signInByForm, startForeignSite } from "./sign-in.ts";

const browser = launchBrowser();
const site = startForeignSite();

/** A page without a server: it signs in, reads the profile, refreshes and revokes, all from its own origin. */
const appOf = (library: string, clientId: string, redirectUri: string) => `
  ${library}
  const steps = { issuer: ${JSON.stringify(stack.urls.api)}, clientId: ${JSON.stringify(clientId)}, redirectUri: ${JSON.stringify(redirectUri)} };
  document.querySelector("button").onclick = () => begin(steps);
  if (location.pathname === "/cb") finish(steps).then(
    (name) => { document.querySelector("h1").textContent = "Signed in as " + name; },
    (error) => { document.querySelector("h1").textContent = String(error) + " " + JSON.stringify(error.cause ?? ""); });`;

const OAUTH4WEBAPI = `
  import * as oauth from "oauth4webapi";
  const insecure = { [oauth.allowInsecureRequests]: true };
  const discovered = async (issuer) => oauth.processDiscoveryResponse(new URL(issuer),
    await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...insecure }));
  async function begin({ issuer, clientId, redirectUri }) {
    const as = await discovered(issuer);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    sessionStorage.setItem("pending", JSON.stringify({ verifier, state }));
    location.assign(as.authorization_endpoint + "?" + new URLSearchParams({
      client_id: clientId, redirect_uri: redirectUri, response_type: "code", state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }));
  }
  async function finish({ issuer, clientId, redirectUri }) {
    const as = await discovered(issuer);
    const client = { client_id: clientId };
    const { verifier, state } = JSON.parse(sessionStorage.getItem("pending"));
    const none = oauth.None();
    const answer = oauth.validateAuthResponse(as, client, new URL(location.href), state);
    const tokens = await oauth.processAuthorizationCodeResponse(as, client,
      await oauth.authorizationCodeGrantRequest(as, client, none, answer, redirectUri, verifier, insecure));
    const fresh = await oauth.processRefreshTokenResponse(as, client,
      await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token, insecure));
    const me = await oauth.protectedResourceRequest(fresh.access_token, "GET", new URL("/me", issuer), undefined, null, insecure);
    const { username } = await me.json();
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, none, fresh.refresh_token, insecure));
    return username;
  }`;

const OPENID_CLIENT = `
  import * as openid from "openid-client";
  const configured = ({ issuer, clientId }) => openid.discovery(new URL(issuer), clientId, undefined, openid.None(),
    { algorithm: "oauth2", execute: [openid.allowInsecureRequests] });
  async function begin(steps) {
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    sessionStorage.setItem("pending", JSON.stringify({ verifier, state }));
    location.assign(openid.buildAuthorizationUrl(await configured(steps), {
      redirect_uri: steps.redirectUri, state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }).href);
  }
  async function finish(steps) {
    const config = await configured(steps);
    const { verifier, state } = JSON.parse(sessionStorage.getItem("pending"));
    const tokens = await openid.authorizationCodeGrant(config, new URL(location.href),
      { pkceCodeVerifier: verifier, expectedState: state });
    const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token);
    const me = await openid.fetchProtectedResource(config, fresh.access_token, new URL("/me", steps.issuer), "GET");
    const { username } = await me.json();
    await openid.tokenRevocation(config, fresh.refresh_token);
    return username;
  }`;

const SOUNDPOST = `
  import { createClient } from "../../functions/client/index.ts";
  const client = ({ issuer, clientId }) => createClient({ apiUrl: issuer, clientId });
  const begin = async (steps) => location.assign(await client(steps).session.begin(steps.redirectUri));
  async function finish(steps) {
    const api = client(steps);
    await api.session.finish(location.href);
    const { username } = await api.get("/me");
    await api.session.end();
    return username;
  }`;

test.for([
  ["oauth4webapi", OAUTH4WEBAPI],
  ["openid-client", OPENID_CLIENT],
  ["the typed client", SOUNDPOST],
] as const)(
  "a page of another origin signs its user in without a secret, by %s, unmodified (O115, O116)",
  async ([, library]) => {
    const person = await createUserWithPassword();
    const app = await createClientApp({ redirectUris: [site.address("/cb")], isPublic: true });
    const script = bundled(appOf(library, app.client_id, site.address("/cb")));
    site.putApp(`<h1>App</h1><button>Sign in</button><script>${script}</script>`);
    const { page, complaints } = await browser.visit(site.address("/app"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await signInByForm(page, person);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByRole("heading", { name: `Signed in as ${person.username}` }).waitFor();
    expect(complaints).toEqual([]);
    const live =
      "select from sessions s join apps a on a.id = s.app_id where client_id = $1 and revoked_at is null";
    expect(await sql(live, [app.client_id])).toEqual([]);

    // Its address proves no identity, so nobody is let through by an earlier consent.
    await page.goto(site.address("/app"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Any program on the device can ask under this name.").waitFor();
  },
);
