import type { Env } from "../lib/http/env.ts";
import { webUrl } from "../lib/http/links.ts";

type Assets = Pick<Env, "API_URL" | "WEB_URL" | "URN_NAMESPACE" | "ASSETS_VERSION">;

const assetPath = (env: Assets, name: string) => `/static/${env.ASSETS_VERSION}/${encodeURIComponent(name)}`;

/** The URL of a file in `assets/`, which the platform serves without the Worker. */
export const assetUrl = (env: Assets, name: string): string => webUrl(env, assetPath(env, name));

/**
 * Redirects a URL of another deployment to this one's file, because a page of that deployment may still be open.
 * `undefined` for a URL of this deployment, which the platform would have served.
 */
export function redirectAsset(env: Assets, version: string, name: string): Response | undefined {
  if (version === env.ASSETS_VERSION) return undefined;
  return new Response(null, {
    status: 302,
    headers: {
      Location: assetPath(env, name),
      "Cache-Control": "no-store",
      // Modules are fetched with CORS, and pages on the API's host use them too.
      "Access-Control-Allow-Origin": "*",
    },
  });
}
