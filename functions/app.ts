import type { ExecutionContext } from "@cloudflare/workers-types";
import { type Context, Hono } from "hono";
import { activities } from "./api/activities/routes.ts";
import { apps } from "./api/apps/routes.ts";
import { comments } from "./api/comments/routes.ts";
import { connections } from "./api/connections/routes.ts";
import { credits } from "./api/credits/routes.ts";
import { favoritesAndReposts } from "./api/favorites/routes.ts";
import { favorites, myFavorites } from "./api/favorites/routes-favorites.ts";
import { favoredAndReposted } from "./api/favorites/routes-lists.ts";
import { favoritersAndReposters } from "./api/favorites/routes-users.ts";
import { feed, followedTracks } from "./api/feed/routes.ts";
import { followings, myFollowings } from "./api/followings/routes.ts";
import { health } from "./api/health/routes.ts";
import { images } from "./api/images/routes.ts";
import { imports } from "./api/imports/routes.ts";
import { insights } from "./api/insights/routes.ts";
import { media } from "./api/media/routes.ts";
import { reached } from "./api/media/routes-reached.ts";
import { openApiDocument } from "./api/openapi/document.ts";
import { playlists } from "./api/playlists/routes.ts";
import { playlistPermalinks } from "./api/playlists/routes-permalink.ts";
import { releases } from "./api/playlists/routes-releases.ts";
import { playlistSharing } from "./api/playlists/routes-sharing.ts";
import { plays } from "./api/plays/routes.ts";
import { podcasts } from "./api/podcasts/routes.ts";
import { episodeTexts } from "./api/podcasts/routes-texts.ts";
import { resolving } from "./api/resolve/routes.ts";
import { search } from "./api/search/routes.ts";
import { tracks } from "./api/tracks/routes.ts";
import { bulkTracks } from "./api/tracks/routes-bulk.ts";
import { trackFiles } from "./api/tracks/routes-files.ts";
import { trackPermalinks } from "./api/tracks/routes-permalink.ts";
import { trackSharing } from "./api/tracks/routes-sharing.ts";
import { companion } from "./api/uploads/companion.ts";
import { uploads } from "./api/uploads/routes.ts";
import { users } from "./api/users/routes.ts";
import { me } from "./api/users/routes-me.ts";
import { userPermalink } from "./api/users/routes-permalink.ts";
import { webProfiles } from "./api/web-profiles/routes.ts";
import { webhooks } from "./api/webhooks/routes.ts";
import { accountAddresses } from "./auth/accounts/account-addresses.ts";
import { changes } from "./auth/accounts/changes.tsx";
import { docsToken } from "./auth/accounts/docs-token.tsx";
import { mailLinks } from "./auth/accounts/mail-links.tsx";
import { personalTokens } from "./auth/accounts/personal-tokens.tsx";
import { settingsPages } from "./auth/accounts/settings.tsx";
import { settingsPicture } from "./auth/accounts/settings-picture.ts";
import { signInPages } from "./auth/accounts/sign-in.tsx";
import { signUpPages } from "./auth/accounts/sign-up.tsx";
import { siteCode, siteSession } from "./auth/accounts/site-session.ts";
import { appPage } from "./auth/apps/app-page.tsx";
import { ownAppsPages } from "./auth/apps/own-apps.ts";
import { connectionCallback } from "./auth/connections/callback.ts";
import { authorize } from "./auth/oauth/authorize.tsx";
import { isOAuthEndpoint, renderOAuthError } from "./auth/oauth/errors.ts";
import { apiMetadata, authMetadata } from "./auth/oauth/metadata.ts";
import { connect } from "./auth/oauth/older-connect.ts";
import { olderToken } from "./auth/oauth/older-token.ts";
import { oauth } from "./auth/oauth/routes.ts";
import { verifyAccessToken } from "./lib/http/access-token.ts";
import type { AppEnv, Env } from "./lib/http/env.ts";
import { renderError } from "./lib/http/errors.ts";
import { routedPath } from "./lib/http/format/negotiate.ts";
import { isRead } from "./lib/http/methods.ts";
import { refuseHost, refuseUnmatched } from "./lib/http/no-route.ts";
import { responder } from "./lib/http/respond.ts";
import { formattedSegments, type Route, type Routes } from "./lib/http/route.ts";
import { honoPath, LayeredRouter } from "./lib/http/router.ts";
import { firstSegment } from "./lib/http/url.ts";
import { pageNotFound, prefersPage, withoutSlash } from "./ui/not-found.tsx";
import { clientRoutes } from "./web/docs/client-routes.ts";
import { openApiRoutes } from "./web/docs/openapi-routes.ts";
import { docsRoutes } from "./web/docs/routes.tsx";
import { embedPages } from "./web/embed/player.tsx";
import { oembed } from "./web/embed/routes.ts";
import { isFeedFile } from "./web/pages/podcasts/feed-paths.ts";
import { sitePages } from "./web/pages/site-pages.ts";

const routesOf = (...resources: Routes[]): Route[] => resources.flatMap(({ list }) => list);

/** {base_url} */
const resources = routesOf(
  users,
  me,
  userPermalink,
  tracks,
  trackFiles,
  trackSharing,
  bulkTracks,
  trackPermalinks,
  playlists,
  playlistSharing,
  playlistPermalinks,
  releases,
  podcasts,
  episodeTexts,
  imports,
  favoritesAndReposts,
  favorites,
  myFavorites,
  favoredAndReposted,
  favoritersAndReposters,
  comments,
  credits,
  plays,
  insights,
  feed,
  followedTracks,
  activities,
  followings,
  myFollowings,
  webProfiles,
  connections,
  webhooks,
  uploads,
  companion,
  images,
  media,
  reached,
  apps,
  resolving,
  search,
  oembed,
  health,
  olderToken,
  apiMetadata,
  openApiRoutes(documentOf),
  clientRoutes,
);

/** {auth_url} */
const auth = routesOf(
  oauth,
  authorize,
  connect,
  signInPages,
  signUpPages,
  siteCode,
  mailLinks,
  settingsPages,
  settingsPicture,
  changes,
  personalTokens,
  ownAppsPages,
  docsToken,
  connectionCallback,
  authMetadata,
);

/** Documents by environment, because they contain its URLs. Building one takes 100 ms, so an isolate does it once. */
const documentCache = new WeakMap<Env, Record<string, unknown>>();

function documentOf(env: Env): Record<string, unknown> {
  const document = documentCache.get(env) ?? openApiDocument(resources, auth, env);
  documentCache.set(env, document);
  return document;
}

/** The pages made from that document. */
const docs = docsRoutes(documentOf);

/** Older clients open `/connect` on the API's host too. */
const api = routesOf(connect).concat(resources, routesOf(docs));

/** {web_url} */
const web = routesOf(connect, oembed, clientRoutes, embedPages, siteSession, appPage, ...sitePages);

/** An unconfigured host. Probes and scrapers may use an IP address. */
const unknown = routesOf(health);

const parts = { api, auth, web, unknown };
type Part = keyof typeof parts;

const segmentsOf = (routes: Route[]) => new Set(routes.map(({ path }) => firstSegment(path)));

/** First path segments that any page may call. CORS recognizes the API by them where hosts coincide. */
const openSegments = segmentsOf([...resources, ...docs.list]);
// Below it, only the token endpoint is open to any page.
openSegments.delete("oauth2");

/** First path segments for programs. They are never usernames, and their errors are never pages. */
const apiSegments = segmentsOf([...api, ...routesOf(oauth, connectionCallback)]);

export const isApiPath = (path: string): boolean =>
  apiSegments.has(firstSegment(path).replace(/\.(?:json|xml|jsonp)$/, "")) || path === "/openapi.json";

/**
 * These endpoints take no cookies, so any page may call them. Introspection is excluded: no page may inspect tokens.
 */
const TOKEN_ENDPOINTS = new Set(["/oauth/token", "/oauth/revoke", "/oauth2/token", "/sign-out"]);
const isForAnyPage = (path: string) => openSegments.has(firstSegment(path)) || TOKEN_ENDPOINTS.has(path);

/** Paths of clients without a token: they request one there, or send their users to consent. */
const ENTRANCES = new Set([...TOKEN_ENDPOINTS, "/authorize", "/connect"]);

/** First path segments of routes that accept older credentials and reply in the requested format. */
const formatted = formattedSegments(resources);
const isResource = (path: string) => formatted.has(firstSegment(path));

/** Browsers get a page for an unknown path, other clients the usual error. */
const isForPage = (c: Context<AppEnv>): boolean => isRead(c) && !isApiPath(c.req.path) && prefersPage(c);

const renderAnyError = (error: unknown, c: Context<AppEnv>) =>
  (isOAuthEndpoint(c.req.path) ? renderOAuthError : renderError)(error, c);

export function buildApp(names: readonly Part[]): Hono<AppEnv> {
  // Such a host is open, unknown paths included, except for consent.
  const isApiAlone = names.join() === "api";
  const isOpen = (path: string) =>
    isForAnyPage(path) ||
    (names.includes("web") && isFeedFile(path)) ||
    (isApiAlone && !["oauth2", "connect"].includes(firstSegment(path)));
  const respond = responder({
    isOpen,
    isResource,
    verifyToken: verifyAccessToken,
    renderError: renderAnyError,
    answerInner: async (request, c) => appOf(["api"]).fetch(request, c.env, c.executionCtx),
  });
  const getPath = routedPath({ ofResource: isResource, withSlash: (path) => ENTRANCES.has(path) });
  const app = new Hono<AppEnv>({ getPath, router: new LayeredRouter(isApiPath) });
  const isSiteAlone = names.includes("web") && !names.includes("auth");
  const routes = isSiteAlone ? accountAddresses.list : [];
  for (const route of new Set([...routes, ...names.flatMap((name) => parts[name])]))
    app.on(route.method, honoPath(route), respond(route.handler, route.renderError));
  const notFound = respond((c) => {
    if (names.includes("unknown")) return refuseHost(c);
    const meant = isApiAlone || isApiPath(c.req.path) ? undefined : withoutSlash(c);
    if (meant) return meant;
    return names.includes("web") && isForPage(c) ? pageNotFound(c) : refuseUnmatched(app, c, isOpen);
  });
  app.notFound(notFound);
  app.onError(renderAnyError);
  return app;
}

const appCache = new Map<string, Hono<AppEnv>>();

function appOf(names: Part[]): Hono<AppEnv> {
  const key = names.join(" ");
  const app = appCache.get(key) ?? buildApp(names);
  appCache.set(key, app);
  return app;
}

/** Apps by environment and host, so that the configured URLs are not parsed on every request. */
const appsByHost = new WeakMap<Env, Map<string, Hono<AppEnv>>>();

/** Returns the app for a host. Parts that share a host share its app; an unknown host gets none of them. */
function appFor(env: Env, host: string): Hono<AppEnv> {
  const known = appsByHost.get(env) ?? new Map<string, Hono<AppEnv>>();
  appsByHost.set(env, known);
  const app = known.get(host) ?? appOf(partsAt(env, host));
  // Bounded, because clients choose the Host header.
  if (known.size < 10) known.set(host, app);
  return app;
}

function partsAt(env: Env, host: string): Part[] {
  const at = (...urls: (string | undefined)[]) => urls.some((url) => url && new URL(url).host === host);
  const here = {
    api: at(env.API_URL, env.OLDER_API_URL),
    auth: at(env.AUTH_URL),
    web: at(env.WEB_URL),
  };
  const names = (["api", "auth", "web"] as const).filter((name) => here[name]);
  if (names.length) return names;
  return isThisMachine(host) && isOneOfThisMachine(env) ? ["api", "auth", "web"] : ["unknown"];
}

const isThisMachine = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);

/** A local machine has several names, none of which anybody else can register. */
const isOneOfThisMachine = ({ API_URL, AUTH_URL, WEB_URL }: Env): boolean =>
  API_URL === AUTH_URL && API_URL === WEB_URL && isThisMachine(new URL(API_URL).host);

const HOST = /^\w+:\/\/([^/]*)/;

export function serve(request: Request, env: Env, ctx: ExecutionContext) {
  const host = HOST.exec(request.url)?.[1] ?? "";
  return appFor(env, host).fetch(request, env, ctx as never);
}
