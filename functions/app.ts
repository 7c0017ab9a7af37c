import type { ExecutionContext } from "@cloudflare/workers-types";
import { type Context, type Handler, Hono } from "hono";
import { accounts } from "./accounts/routes.tsx";
import { activities } from "./activities/routes.ts";
import { appPage } from "./apps/app-page.tsx";
import { ownAppsPages } from "./apps/own-apps.ts";
import { apps } from "./apps/routes.ts";
import { comments } from "./comments/routes.ts";
import { connectionCallback } from "./connections/callback.ts";
import { connections } from "./connections/routes.ts";
import { embedPages } from "./embed/player.tsx";
import { oembed } from "./embed/routes.ts";
import { feed } from "./feed/routes.ts";
import { followings } from "./followings/routes.ts";
import { health } from "./health/routes.ts";
import { inOneEach } from "./http/chain.ts";
import { documentedRoutes, resourceSegments, segmentOf } from "./http/contract.ts";
import { describedRoutes } from "./http/described.ts";
import type { AppEnv, Env } from "./http/env.ts";
import { renderError } from "./http/errors.ts";
import { pathWithoutSuffix } from "./http/formats.ts";
import { responder } from "./http/respond.ts";
import type { Route, Routes } from "./http/route.ts";
import { unmatched } from "./http/unmatched.ts";
import { images } from "./images/routes.ts";
import { likes } from "./likes/routes.ts";
import { favorites } from "./likes/routes-favorites.ts";
import { likedAndReposted } from "./likes/routes-lists.ts";
import { markers } from "./likes/routes-markers.ts";
import { me } from "./me/routes.ts";
import { media } from "./media/routes.ts";
import { verifyAccessToken } from "./oauth/access-token.ts";
import { authorize } from "./oauth/authorize.tsx";
import { isOAuthEndpoint, renderOAuthError } from "./oauth/errors.ts";
import { apiMetadata, authMetadata } from "./oauth/metadata.ts";
import { connect } from "./oauth/older-connect.ts";
import { olderToken } from "./oauth/older-token.ts";
import { oauth } from "./oauth/routes.ts";
import { openApiDocument } from "./openapi.ts";
import { reference } from "./pages/reference.tsx";
import { pages } from "./pages/routes.tsx";
import { playlists } from "./playlists/routes.ts";
import { playlistSharing } from "./playlists/routes-sharing.ts";
import { plays } from "./plays/routes.ts";
import { resolving } from "./resolve/routes.ts";
import { tracks } from "./tracks/routes.ts";
import { trackFiles } from "./tracks/routes-files.ts";
import { trackSharing } from "./tracks/routes-sharing.ts";
import { companion } from "./uploads/companion.ts";
import { uploads } from "./uploads/routes.ts";
import { users } from "./users/routes.ts";
import { webProfiles } from "./web-profiles/routes.ts";
import { webhooks } from "./webhooks/routes.ts";

/** {base_url} */
const api = new Hono<AppEnv>().route("/", olderToken).route("/", apiMetadata);

/** {auth_url} */
const auth = new Hono<AppEnv>()
  .route("/", oauth)
  .route("/", authorize)
  .route("/", connect)
  .route("/", accounts)
  .route("/", authMetadata);

const listed = (...resources: Routes[]): Route[] => resources.flatMap(({ list }) => list);

/** Routes that are one call each. */
const routes = {
  api: listed(
    users,
    me,
    tracks,
    trackFiles,
    trackSharing,
    playlists,
    playlistSharing,
    likes,
    favorites,
    likedAndReposted,
    markers,
    comments,
    plays,
    feed,
    activities,
    followings,
    webProfiles,
    webhooks,
    connections,
    apps,
    companion,
    uploads,
    health,
    images,
    media,
    resolving,
    oembed,
  ),
  auth: listed(connectionCallback, ownAppsPages),
  web: listed(appPage, embedPages, oembed),
};

const documented = [
  ...documentedRoutes(api),
  ...describedRoutes(routes.api),
  ...documentedRoutes(auth),
  ...describedRoutes(routes.auth),
];
const document = (c: Context<AppEnv>) => openApiDocument(documented, c.env);
api.get("/openapi.json", (c) => c.json(document(c), 200, { "Cache-Control": "public, max-age=300" }));
api.get("/docs", (c) => reference(c, document(c)));

/** {web_url}: its permalinks match anything, so they come last. */
const web = new Hono<AppEnv>().route("/", connect).route("/", pages);

/** First path segments of the API, by which CORS knows it where hosts coincide. */
const apiSegments = new Set([...api.routes, ...routes.api].map(({ path }) => segmentOf(path)));
apiSegments.delete("oauth2");
/** They take no cookie, so any page may call them with what it holds. No page may look into tokens. */
const TOKEN_ENDPOINTS = new Set(["/oauth/token", "/oauth/revoke", "/oauth2/token", "/sign-out"]);
const isForAnyPage = (path: string) => apiSegments.has(segmentOf(path)) || TOKEN_ENDPOINTS.has(path);

/** Where older clients may bring their token in another way, and replies come in the format that is asked for. */
const resources = resourceSegments(documented);
const isResource = (path: string) => resources.has(segmentOf(path));

const renderAnyError = (error: unknown, c: Context<AppEnv>) =>
  (isOAuthEndpoint(c.req.path) ? renderOAuthError : renderError)(error, c);

/** Older clients open `/connect` on the API's host too. */
const parts: Record<keyof typeof routes, Mounted[]> = {
  api: [
    ...inOneEach(new Hono<AppEnv>().route("/", connect).route("/", api).routes, renderAnyError),
    ...routes.api,
  ],
  auth: [...inOneEach(auth.routes, renderAnyError), ...routes.auth],
  web: [...routes.web, ...inOneEach(web.routes, renderAnyError)],
};
type Part = keyof typeof parts;

interface Mounted extends Pick<Route, "method" | "path" | "renderError"> {
  handler: Handler;
}

function build(some: readonly Mounted[], hasOwnHost: boolean): Hono<AppEnv> {
  // On a host of its own all but consent is the API's, unknown paths too.
  const isOpen = (path: string) =>
    isForAnyPage(path) || (hasOwnHost && !["oauth2", "connect"].includes(segmentOf(path)));
  const respond = responder({
    isOpen,
    isResource,
    verifyToken: verifyAccessToken,
    renderError: renderAnyError,
  });
  const app = new Hono<AppEnv>({ getPath: pathWithoutSuffix(isResource) });
  for (const { method, path, handler, renderError } of some)
    app.on(method, path, respond(handler, renderError));
  const notFound = respond((c) => unmatched(app, c, isOpen));
  app.notFound((c) => notFound(c, async () => {}) as Promise<Response>);
  app.onError(renderAnyError);
  return app;
}

const built = new Map<string, Hono<AppEnv>>();

function appOf(names: Part[]): Hono<AppEnv> {
  const key = names.join(" ");
  const isApiHost = names.length === 1 && names[0] === "api";
  const some = names.flatMap((name): Mounted[] => parts[name]);
  const app = built.get(key) ?? build(some, isApiHost);
  built.set(key, app);
  if (names.includes("api")) servesApi.add(app);
  return app;
}

const servesApi = new WeakSet<Hono<AppEnv>>();

/** First path segments that are the API's alone. */
const othersSegments = new Set([...parts.auth, ...parts.web].map(({ path }) => segmentOf(path)));
const apisAlone = new Set([...apiSegments].filter((segment) => segment && !othersSegments.has(segment)));

const ofSegments = new Map<string, Hono<AppEnv>>();

/**
 * The API's routes below one segment. So few are one regular expression to the router; all of them, with permalinks that
 * match anything, a search.
 */
function appOfSegment(segment: string): Hono<AppEnv> {
  const known = ofSegments.get(segment);
  if (known) return known;
  const app = build(
    parts.api.filter(({ path }) => segmentOf(path) === segment),
    false,
  );
  ofSegments.set(segment, app);
  return app;
}

/** By environment, then by the host that was asked: addresses are parsed once, not for each request. */
const answering = new WeakMap<Env, Map<string, Hono<AppEnv>>>();

/** Each part answers on its own host; where hosts coincide, or the host is none of them, all that do. */
function appFor(env: Env, host: string): Hono<AppEnv> {
  const known = answering.get(env) ?? new Map<string, Hono<AppEnv>>();
  answering.set(env, known);
  const app = known.get(host) ?? appOf(partsAt(env, host));
  // Whatever else a client calls us by is not worth remembering.
  if (known.size < 10) known.set(host, app);
  return app;
}

function partsAt(env: Env, host: string): Part[] {
  const at = (...urls: (string | undefined)[]) => urls.some((url) => url && new URL(url).host === host);
  const here: Record<Part, boolean> = {
    api: at(env.API_URL, env.OLDER_API_URL),
    auth: at(env.AUTH_URL),
    web: at(env.WEB_URL),
  };
  const names = (["api", "auth", "web"] as const).filter((name) => here[name]);
  return names.length ? names : ["api", "auth", "web"];
}

/** Host and first segment, without a suffix. */
const ADDRESS = /^\w+:\/\/([^/]*)\/([^/.?]*)/;

export function serve(request: Request, env: Env, ctx: ExecutionContext) {
  const [, host = "", segment = ""] = ADDRESS.exec(request.url) ?? [];
  const ofHost = appFor(env, host);
  const app = servesApi.has(ofHost) && apisAlone.has(segment) ? appOfSegment(segment) : ofHost;
  return app.fetch(request, env, ctx as never);
}
