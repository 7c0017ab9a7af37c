import { type Entry, get, none, one, post, STATIC, several } from "../../lib/http/statements.support.ts";
import { PASSWORD } from "../../support/browser.ts";
import { authorizePath, createClientApp } from "../../support/consent.ts";
import { auth, basicOf } from "../../support/oauth.ts";
import { createUser, createUserWithPassword } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";

const HASHING = "a password, which only one of the grants takes, is hashed in between";

/** Requests to the authorization server, for `statements.test.ts`. */
export const OAUTH: Record<string, Entry> = {
  "GET /.well-known/oauth-protected-resource": none(STATIC, () =>
    get("/.well-known/oauth-protected-resource"),
  ),
  "GET /.well-known/oauth-authorization-server": none(STATIC, () =>
    get("/.well-known/oauth-authorization-server"),
  ),
  "GET /.well-known/openid-configuration": none(STATIC, () => get("/.well-known/openid-configuration")),
  "GET /.well-known/jwks.json": none(STATIC, () => get("/.well-known/jwks.json")),
  "GET /authorize": one(async () => get(authorizePath(await createClientApp()))),
  "GET /connect": one(async () =>
    get(authorizePath(await createClientApp()).replace("/authorize", "/connect")),
  ),
  "POST /oauth/token": one(async () => {
    const { form } = await auth.createGrant();
    return fetch(`${stack.urls.api}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  }),
  "POST /oauth2/token": several(2, HASHING, async () => {
    const { client_id, client_secret } = await createClientApp();
    const { username } = await createUserWithPassword();
    const form = { client_id, client_secret, grant_type: "password", username, password: PASSWORD };
    return fetch(`${stack.urls.api}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) });
  }),
  "POST /oauth/revoke": one(() => asClient("/oauth/revoke")),
  "POST /oauth/introspect": one(() => asClient("/oauth/introspect")),
  "POST /sign-out": one(async () => post("/sign-out", { access_token: (await createUser()).token })),
};

async function asClient(path: string): Promise<Response> {
  const { app, tokens } = await auth.signedIn();
  const body = new URLSearchParams({ token: tokens.refresh_token });
  return fetch(stack.urls.api + path, { method: "POST", headers: basicOf(app), body });
}
