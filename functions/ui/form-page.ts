import type { Context } from "hono";
import type { AppEnv } from "../lib/http/env.ts";
import { isRead } from "../lib/http/methods.ts";
import { ownPath } from "./next.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The path of the page whose form was submitted. */
    formPage: string | undefined;
  }
}

/** Records and returns the page that a small form names as its own. */
export function formPage(c: Context<AppEnv>, next: string | undefined): string {
  const path = ownPath(next, "/");
  c.set("formPage", path);
  return path;
}

/** The page that the reader sees: this one, or the one whose form was submitted. Its notice is read once. */
export function readPath(c: Context<AppEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return isRead(c)
    ? pathname + withoutNotice(search)
    : (c.get("formPage") ?? ownPath(c.get("sentFields")?.next, "/"));
}

const withoutNotice = (search: string): string =>
  search.replace(/([?&])notice=welcome(&|$)/, (_, first: string, next: string) => (next ? first : ""));
