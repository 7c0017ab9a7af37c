import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { auth, basicOf, expectError, inBody, randomAddress } from "../../support/oauth.ts";
import { stack } from "../../support/stack.ts";

const url = stack.urls.api;

/** Reads as a page of another origin. Expects permission and caching. */
async function read(path: string): Promise<Record<string, unknown>> {
  const reply = await fetch(url + path, { headers: { Origin: "https://page.example" } });
  const names = ["Access-Control-Allow-Origin", "Cache-Control", "X-Content-Type-Options"];
  const result = names.map((name) => reply.headers.get(name));
  expect([reply.status, ...result]).toEqual([200, "*", "public, max-age=3600", "nosniff"]);
  expect(reply.headers.get("Content-Type")).toMatch(/^application\/json/);
  return (await reply.json()) as Record<string, unknown>;
}

test("the server's metadata describe exactly what exists (O106)", async () => {
  const body = await read("/.well-known/oauth-authorization-server");
  const methods = ["client_secret_basic", "client_secret_post"];
  expect(body).toMatchObject({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    introspection_endpoint: `${url}/oauth/introspect`,
    jwks_uri: `${url}/.well-known/jwks.json`,
    userinfo_endpoint: `${url}/me/userinfo`,
    scopes_supported: ["read", "tracks", "playlists", "social", "profile", "connections", "webhooks"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: [...methods, "none"],
    revocation_endpoint_auth_methods_supported: [...methods, "none"],
    introspection_endpoint_auth_methods_supported: methods,
    authorization_response_iss_parameter_supported: true,
  });
  expect(JSON.stringify(body)).not.toMatch(/password|oauth2|\/connect|"token"|plain|null/);
});

test("the first method of authentication serves an app's own grant, because many clients take the first", async () => {
  const body = await read("/.well-known/oauth-authorization-server");
  const methods = Object.entries(body).filter(([name]) => name.endsWith("_auth_methods_supported"));
  expect(methods.map(([, listed]) => (listed as string[])[0])).toEqual(Array(3).fill("client_secret_basic"));
});

test("clients of OpenID find the same document, which promises no id tokens", async () => {
  const body = await read("/.well-known/openid-configuration");
  expect(body).toEqual(await read("/.well-known/oauth-authorization-server"));
  expect(JSON.stringify(body)).not.toMatch(/id_token|openid/);
});

test("every address in the metadata answers (O106)", async () => {
  const body = await read("/.well-known/oauth-authorization-server");
  const addresses = Object.entries(body).filter(([name]) => /_(endpoint|uri|documentation)$/.test(name));
  expect(addresses.length).toBe(7);
  for (const [name, address] of addresses) {
    const { status } = await fetch(String(address), { redirect: "manual" });
    const readable = { authorization_endpoint: 400, jwks_uri: 200, service_documentation: 200 };
    const expected = { ...readable, userinfo_endpoint: 401 }[name] ?? 405;
    expect([name, status]).toEqual([name, expected]);
  }
});

test("the resource's metadata name the server (O106)", async () => {
  const body = await read("/.well-known/oauth-protected-resource");
  expect(body).toMatchObject({
    resource: url,
    authorization_servers: [url],
    bearer_methods_supported: ["header"],
    scopes_supported: ["read", "tracks", "playlists", "social", "profile", "connections", "webhooks"],
  });
});

describe("revocation (O107)", () => {
  test("ends the session of a refresh token", async () => {
    const { app, tokens } = await auth.signedIn();
    const { status, text } = await auth.revoke(app, tokens.refresh_token);
    expect([status, text]).toEqual([200, "{}"]);
    expect(await auth.me(tokens.access_token)).toBe(401);
    expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
    expect((await auth.revoke(app, tokens.refresh_token)).status).toBe(200);
  });

  test("ends the session of an access token, regardless of the hint", async () => {
    for (const token_type_hint of ["access_token", "refresh_token", "nonsense", ""]) {
      const { app, tokens } = await auth.signedIn();
      expect((await auth.revoke(app, tokens.access_token, { token_type_hint })).status).toBe(200);
      expect(await auth.me(tokens.access_token)).toBe(401);
      expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
    }
  });

  test("ends the session of a consumed refresh token, too, so that its former holder can do so", async () => {
    const { app, tokens } = await auth.signedIn();
    const { body } = await auth.refresh(app, tokens.refresh_token);
    expect((await auth.revoke(app, tokens.refresh_token)).status).toBe(200);
    expect(await auth.me(body.access_token)).toBe(401);
  });

  test("accepts an unknown token, and leaves another app's token valid", async () => {
    const { app, tokens } = await auth.signedIn();
    const other = await auth.createApp();
    for (const token of ["x", "rt_unknown", "a.b.c", "x".repeat(10_000)])
      expect((await auth.revoke(app, token)).text).toBe("{}");
    for (const token of [tokens.refresh_token, tokens.access_token])
      expect((await auth.revoke(other, token)).text).toBe("{}");
    expect(await auth.me(tokens.access_token)).toBe(200);
    expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  test("accepts Basic credentials and requires a token", async () => {
    const { app, tokens } = await auth.signedIn();
    expectError(await auth.revoke(app, ""), 400, "invalid_request");
    const form = { token: tokens.access_token };
    expect((await auth.send("/oauth/revoke", { form, headers: basicOf(app) })).status).toBe(200);
    expect(await auth.me(tokens.access_token)).toBe(401);
  });
});

test("revocation and introspection require the client's own credentials (O108)", async () => {
  const { app, tokens } = await auth.signedIn();
  for (const path of ["/oauth/revoke", "/oauth/introspect"]) {
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const bearer = { Authorization: `Bearer ${tokens.access_token}` };
      for (const form of [{ token }, { token, ...inBody({ ...app, client_secret: "wrong" }) }])
        expectError(await auth.send(path, { form, address: randomAddress() }), 401, "invalid_client");
      expectError(await auth.send(path, { form: { token }, headers: bearer }), 401, "invalid_client");
    }
  }
  expect(await auth.me(tokens.access_token)).toBe(200);
});

describe("introspection (O109)", () => {
  const INACTIVE = '{"active":false}';

  test("returns user and expiry of live tokens", async () => {
    const { app, userId, tokens } = await auth.signedIn();
    const [user] = await auth.sql<{ username: string }>("select username from users where id = $1", [userId]);
    const { iat, exp } = decodeJwt(tokens.access_token);
    const shared = {
      active: true,
      client_id: app.client_id,
      sub: `u:${userId}`,
      scope: "",
      iss: url,
      aud: url,
    };
    const access = await auth.introspect(app, tokens.access_token);
    expect([access.status, access.body]).toEqual([
      200,
      { ...shared, username: user?.username, token_type: "Bearer", iat, exp },
    ]);
    const refresh = await auth.introspect(app, tokens.refresh_token);
    expect(refresh.body).toEqual({
      ...shared,
      username: user?.username,
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
    expect(Number(refresh.body.exp) - Number(refresh.body.iat)).toBe(90 * 24 * 3600);
  });

  test("names no user for an app's own token", async () => {
    const app = await auth.createApp();
    const { body } = await auth.ownToken(app, { address: randomAddress() });
    const result = (await auth.introspect(app, body.access_token)).body;
    expect(result).toMatchObject({ active: true, sub: `c:${app.client_id}` });
    expect(result).not.toHaveProperty("username");
  });

  test("reveals nothing of any other token", async () => {
    const { app, tokens, code } = await auth.signedIn();
    const other = await auth.createApp();
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect((await auth.introspect(other, token)).text).toBe(INACTIVE);
    for (const token of ["x", "a.b.c", code, app.client_secret])
      expect((await auth.introspect(app, token)).text).toBe(INACTIVE);
    const { body } = await auth.refresh(app, tokens.refresh_token);
    expect((await auth.introspect(app, tokens.refresh_token)).text).toBe(INACTIVE);
    expect((await auth.introspect(app, body.refresh_token)).body.active).toBe(true);
    await auth.sql(
      "update refresh_tokens set expires_at = now() where expires_at > now() and session_id = $1",
      [decodeJwt(body.access_token).sid],
    );
    expect((await auth.introspect(app, body.refresh_token)).text).toBe(INACTIVE);
    expect((await auth.introspect(app, body.access_token)).body.active).toBe(true);
    await auth.signOut(body.access_token);
    for (const token of [body.access_token, body.refresh_token])
      expect((await auth.introspect(app, token)).text).toBe(INACTIVE);
  });

  test("consumes nothing", async () => {
    const { app, form } = await auth.createGrant();
    expect((await auth.introspect(app, form.code)).text).toBe(INACTIVE);
    const { body } = await auth.token(form);
    for (let times = 0; times < 3; times++) await auth.introspect(app, body.refresh_token);
    expect((await auth.refresh(app, body.refresh_token)).status).toBe(200);
  });
});
