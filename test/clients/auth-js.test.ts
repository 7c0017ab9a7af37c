import { stripTypeScriptTypes } from "node:module";
import { expect, test } from "vitest";
import { createClientApp, createVisitor } from "../support/consent.ts";
import { blocksOf } from "../support/snippets.ts";
import { stack } from "../support/stack.ts";

/** Not imported by its name, because its types bring those of browsers, which clash with the Worker's. */
const AUTH_JS: string = "@auth/core";
const { Auth, setEnvDefaults } = await import(AUTH_JS);

const SITE = "https://site.example";
const CALLBACK = `${SITE}/auth/callback/soundpost`;

/** The provider of the guide to tokens, as it stands there. */
async function providerOfGuide(): Promise<object> {
  const markdown = await (await fetch(`${stack.urls.api}/docs/tokens.md`)).text();
  const block = blocksOf(markdown).find(({ code }) => code.startsWith("export const soundpost"));
  const code = stripTypeScriptTypes(block?.code ?? "");
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).soundpost;
}

/** A site that signs people in by Auth.js. */
function openSite(provider: object, clientId: string, clientSecret: string) {
  const cookies = new Map<string, string>();
  const config = {
    basePath: "/auth",
    secret: "a secret of the site's own",
    trustHost: true,
    providers: [{ ...provider, clientId, clientSecret }],
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
  const site = openSite(await providerOfGuide(), app.client_id, app.client_secret);
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
