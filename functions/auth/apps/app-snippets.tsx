import type { OwnAppRow } from "../../../db/queries/apps.ts";
import type { Env } from "../../lib/http/env.ts";

type Links = Pick<Env, "API_URL" | "AUTH_URL">;

/** Commands and code to copy, with the app's client id and URLs filled in. */
export const AppSnippets = ({ env, app }: { env: Links; app: OwnAppRow }) => (
  <>
    {!isPublic(app) && (
      <>
        <p>Ask for a token of the app's own, which reads what everybody may read:</p>
        <Snippet label="Token of the app, curl">{ownToken(env, app)}</Snippet>
      </>
    )}
    <p>
      Let somebody sign in with your app: open this address, with PKCE, and exchange the code that comes back.
    </p>
    <Snippet label="Token of a user, curl">{userToken(env, app)}</Snippet>
    <p>The same in TypeScript, without a library:</p>
    <Snippet label="Sign-in, TypeScript">{typescript(env, app)}</Snippet>
  </>
);

/** Scrolls sideways, also by keyboard. */
const Snippet = ({ label, children }: { label: string; children: string }) => (
  <section aria-label={label}>
    <pre tabindex={0}>
      <code>{children}</code>
    </pre>
  </section>
);

const ownToken = ({ API_URL, AUTH_URL }: Links, { client_id }: OwnAppRow) => `\
TOKEN=$(curl -s -u "${client_id}:$CLIENT_SECRET" ${AUTH_URL}/oauth/token \\
  -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -H "Authorization: OAuth $TOKEN" "${API_URL}/tracks?q=rain"`;

const isPublic = ({ client_type }: OwnAppRow) => client_type === "public";

/** The first registered URL. A loopback URL gets the program's port. */
const redirectOf = ({ redirect_uris: [first = ""] }: OwnAppRow) => first;

const authorizeUrl = ({ AUTH_URL }: Links, app: OwnAppRow) =>
  `${AUTH_URL}/authorize?${new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: redirectOf(app),
    response_type: "code",
    code_challenge_method: "S256",
  })}`;

const userToken = (env: Links, app: OwnAppRow) => `\
VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
echo "${authorizeUrl(env, app)}&state=$(openssl rand -hex 8)&code_challenge=$CHALLENGE"

curl ${isPublic(app) ? `-d client_id=${app.client_id}` : `-u "${app.client_id}:$CLIENT_SECRET"`} ${env.AUTH_URL}/oauth/token -d grant_type=authorization_code \\
  --data-urlencode "redirect_uri=${redirectOf(app)}" -d code_verifier=$VERIFIER -d code=$CODE`;

const typescript = (env: Links, app: OwnAppRow) => `\
const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
const state = crypto.randomUUID();
const signInUrl = \`${authorizeUrl(env, app)}&state=\${state}&code_challenge=\${base64url(new Uint8Array(hash))}\`;

// The browser comes back with \`code\` and the same \`state\`.
const reply = await fetch("${env.AUTH_URL}/oauth/token", {
  method: "POST",
  body: new URLSearchParams({
    client_id: "${app.client_id}",${isPublic(app) ? "" : "\n    client_secret: clientSecret,"}
    grant_type: "authorization_code",
    redirect_uri: "${redirectOf(app)}",
    code_verifier: verifier,
    code,
  }),
});
const { access_token } = await reply.json();
const me = await fetch("${env.API_URL}/me", { headers: { Authorization: \`OAuth \${access_token}\` } });`;
