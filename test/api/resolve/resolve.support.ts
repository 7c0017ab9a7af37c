import { api, type Options } from "../../support/api.ts";
import { stack } from "../../support/stack.ts";
import type { Asking } from "../tracks/lists.support.ts";

/** A URL of the site, which shares the API's origin here. */
export const page = (path: string): string => stack.urls.api + path;

export const resolveHref = (url: string, more: Record<string, string> = {}): string =>
  `/resolve?${new URLSearchParams({ url, ...more })}`;

export const resolved = <Body = { id: number; kind: string }>(who: Asking, url: string, options?: Options) =>
  api.as(who).get<Body>(resolveHref(url), options);

/** Status and id of the result. */
export async function resolvedTo(who: Asking, url: string): Promise<[number, number | undefined]> {
  const { status, body } = await resolved(who, url);
  return [status, body.id];
}
