import type { Context } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    url: string | undefined;
  }
}

/** The request's URL, cached: the runtime makes a new string on each access. */
export function urlOf(c: Context): string {
  const known = c.get("url");
  if (known !== undefined) return known;
  const { url } = c.req;
  c.set("url", url);
  return url;
}

export function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
