import { expect, test } from "vitest";
import { createClientApp, createVisitor } from "../../support/consent.ts";
import { stack } from "../../support/stack.ts";

/** Not imported by its name, because its types bring those of browsers, which clash with the Worker's. */
const AUTH_JS: string = "@auth/core";
const { Auth, setEnvDefaults } = await import(AUTH_JS);

const SITE = "https://site.example";
const CALLBACK = `${SITE}/auth/callback/soundpost`;

/** A site that signs people in by Auth.js, as its guide says for a service that it does not know. */
function openSite(clientId: string, clientSecret: string) {
  const cookies = new Map<string, string>();
  const config = {
    basePath: "/auth",
    secret: "a secret of the site's own",
    trustHost: true,
    providers: [
      {
        ...{ id: "soundpost", name: "Soundpost", type: "oauth", clientId, clientSecret },
        issuer: stack.urls.api,
        checks: ["pkce", "state"],
        // It asks by itself only where tokens of identity are offered.
        userinfo: {
          request: async ({ tokens }: { tokens: { access_token: string } }) => {
            const headers = { Authorization: `Bearer ${tokens.access_token}` };
            return (await fetch(`${stack.urls.api}/me/userinfo`, { headers })).json();
          },
        },
      },
    ],
  };
  setEnvDefaults({}, config);
  return async (path: string, form?: Record<string, string>) => {
    const request = new Request(new URL(path, SITE), {
      method: form ? "POST" : "GET",
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { body: new URLSearchParams(form) }),
    });
    const reply: Response = await Auth(request, config);
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return reply;
  };
}

test("Auth.js, unmodified, signs a user in by the issuer and a call for the user", async () => {
  const app = await createClientApp({ redirectUris: [CALLBACK] });
  const site = openSite(app.client_id, app.client_secret);
  const { csrfToken } = (await (await site("/auth/csrf")).json()) as { csrfToken: string };
  const begun = await site("/auth/signin/soundpost", { csrfToken });
  const authorization = new URL(begun.headers.get("Location") ?? "");
  expect(authorization.origin + authorization.pathname).toBe(`${stack.urls.auth}/authorize`);
  const { user, browser } = await createVisitor();
  const { location } = await browser.approve(authorization.pathname + authorization.search);
  const ended = await site(location ?? "");
  expect(ended.headers.get("Location")).toBe(SITE);
  expect(await (await site("/auth/session")).json()).toMatchObject({ user: { name: user.username } });
});
