import type { Context } from "hono";
import { getPath } from "hono/utils/url";
import type * as z from "zod";
import { HttpError } from "../../http-error.ts";
import type { AppEnv } from "../env.ts";
import { badRequest, ErrorBody } from "../errors.ts";
import { isRead } from "../methods.ts";
import { cameByOlderHost } from "../older.ts";
import { urlOf } from "../url.ts";
import { negotiate } from "./accept.ts";
import { callableName, JSONP_HEADERS, jsonpText, toldInBody } from "./jsonp.ts";
import { xmlDocument } from "./xml.ts";

export type Format = "json" | "xml" | "jsonp";

/** What was asked for instead of plain JSON. */
interface Wish {
  format: Format;
  /** JSONP's. */
  callback?: string;
  /** Nobody asked for it: the host has it so. */
  byHost?: boolean;
  refusal?: { error: HttpError; byAccept: boolean };
}

type Replies = Record<number, z.ZodType | string>;

declare module "hono" {
  interface ContextVariableMap {
    wish: Wish | undefined;
    /** The operation's, once there is one. */
    replies: Replies | undefined;
  }
}

/** A letter first: `/tracks/1.0` is no track in any format. */
const SUFFIX = /\.([A-Za-z][A-Za-z0-9]{0,15})$/;

/** The path that is routed by: resources without `.json`, `.xml` or whatever else was put behind. */
export const pathWithoutSuffix = (ofResource: (path: string) => boolean) => (request: Request) => {
  const path = getPath(request);
  const suffix = path.lastIndexOf(".") > path.lastIndexOf("/") ? SUFFIX.exec(path) : null;
  const bare = suffix ? path.slice(0, suffix.index) : path;
  return ofResource(bare) ? bare : path;
};

/** Notes the format that was asked for. Resources and their errors are made as JSON first, whatever the format. */
export function chooseFormat(c: Context<AppEnv>): void {
  const wish = wishOf(c);
  if (wish) c.set("wish", wish);
}

/** Rewrites a JSON reply as XML or JSONP if the client asked for it. */
export async function renderFormat(c: Context<AppEnv>): Promise<void> {
  const wish = c.get("wish");
  if (wish && wish.format !== "json" && isOurJson(c)) await rewrite(c, wish);
}

/**
 * Refuses a format that cannot be had, once it is known who asks and before anything is done. `isMedia`: the reply is a file
 * or leads to one, so `Accept` is about that file.
 */
export function settleFormat(c: Context, isMedia: boolean): void {
  const refusal = c.get("wish")?.refusal;
  if (refusal && !(refusal.byAccept && isMedia)) throw refusal.error;
  if (c.get("wish")?.format === "jsonp" && bringsCredential(c)) refuseJsonp(c);
}

/** Any page that loads a script reads it, so JSONP holds only what everybody may see. */
export function refuseJsonp(c: Context): void {
  if (c.get("wish")?.format === "jsonp")
    throw new HttpError(406, [
      "JSONP is not available with a token or a secret: any page could read the reply",
    ]);
}

/** A client id alone is public. */
const bringsCredential = ({ req }: Context): boolean =>
  req.header("Authorization") !== undefined ||
  req.query("oauth_token") !== undefined ||
  Boolean(req.query("secret_token"));

/** `undefined` for plain JSON, which is nearly always. */
function wishOf(c: Context<AppEnv>): Wish | undefined {
  const usual: Format = cameByOlderHost(c) ? "xml" : "json";
  try {
    const named = namedFormat(c);
    const format = named ?? acceptedFormat(c, usual);
    const callback = format === "xml" ? undefined : callbackOf(c, format);
    if (callback !== undefined) return { format: "jsonp", callback };
    return format === "json" ? undefined : { format, byHost: named === undefined && usual === "xml" };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { format: usual, refusal: { error, byAccept: error instanceof NothingAcceptable } };
  }
}

/** By suffix or by `format`; an empty one names nothing. */
function namedFormat(c: Context): Format | undefined {
  const { path } = c.req;
  const url = urlOf(c);
  const end = url.indexOf("?");
  const asked = end < 0 ? url : url.slice(0, end);
  const suffix = asked.endsWith(path) ? undefined : SUFFIX.exec(getPath(c.req.raw))?.[1];
  const given = end < 0 ? [] : (c.req.queries("format") ?? []);
  if (given.length > 1) badRequest("format was sent more than once");
  const named = suffix ?? (given[0] || undefined);
  if (named === undefined || named === "json" || named === "xml") return named;
  // oEmbed's name for it.
  if (named !== "jsonp" && named !== "js")
    throw new HttpError(406, ["The format must be json, xml or jsonp"]);
  if (!isRead(c)) throw new HttpError(406, ["JSONP is for reading"]);
  return "jsonp";
}

class NothingAcceptable extends HttpError {
  constructor() {
    super(406, ["Accept: replies are application/json or application/xml"]);
  }
}

function acceptedFormat(c: Context, usual: Format): Format {
  const accept = c.req.header("Accept");
  if (usual === "json" && (accept === undefined || accept === "*/*" || accept === "application/json"))
    return usual;
  if (usual === "json" && isBrowsers(accept ?? "")) return usual;
  const { json, xml } = OFFERS;
  const format = negotiate(accept, usual === "json" ? [json, xml] : [xml, json]);
  if (format) return format;
  // A script element may say what it loads.
  const script = negotiate(accept, [OFFERS.script]);
  if (script && isRead(c) && c.req.queries("callback")) return "json";
  throw new NothingAcceptable();
}

/** They name XML, and JSON never: they would show markup to whoever opens an address. */
const isBrowsers = (accept: string) => accept.includes("text/html") && accept.includes("*/*");

const OFFERS = {
  json: { name: "json", mediaType: "application/json", aliases: ["text/json"] },
  xml: { name: "xml", mediaType: "application/xml", aliases: ["text/xml"] },
  script: {
    name: "script",
    mediaType: "text/javascript",
    aliases: ["application/javascript", "application/x-javascript"],
  },
} as const;

/** `callback[]` is what some send for a list. */
function callbackOf(c: Context, format: Format): string | undefined {
  if (!isRead(c) || (format === "json" && !urlOf(c).includes("callback"))) return undefined;
  const sent = [...(c.req.queries("callback") ?? []), ...(c.req.queries("callback[]") ?? []).map(() => "")];
  return format === "json" && !sent.length ? undefined : callableName(sent);
}

/** Not media, pages and redirects. */
function isOurJson({ res }: Context): boolean {
  const isJson = res.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return isJson && (res.status < 300 || res.status >= 400);
}

async function rewrite(c: Context<AppEnv>, wish: Wish): Promise<void> {
  const { res } = c;
  const schema = res.status >= 400 ? ErrorBody : c.get("replies")?.[res.status];
  if (typeof schema === "string") return;
  const value: unknown = JSON.parse(await res.text());
  const headers = new Headers(res.headers);
  headers.delete("Content-Length");
  // So that Hono does not copy the JSON's headers onto it.
  c.res = undefined;
  if (wish.callback !== undefined) {
    for (const [name, text] of Object.entries(JSONP_HEADERS)) headers.set(name, text);
    c.res = new Response(jsonpText(wish.callback, toldInBody(res.status, value)), { headers });
    return;
  }
  headers.set("Content-Type", "application/xml; charset=utf-8");
  const link = headers.get("Link");
  if (wish.byHost && link)
    headers.set(
      "Link",
      link.replace(/^<([^>]+)>; rel="next"/, (_, next) => `<${inXml(next)}>; rel="next"`),
    );
  const told = wish.byHost ? withFormat(value) : value;
  c.res = new Response(xmlDocument(told, schema), { status: res.status, headers });
}

/** Links lead to the current host, which answers in JSON unless it is told. */
function withFormat(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const links = Object.entries(value).filter(([name]) => name === "next_href" || name === "future_href");
  return { ...value, ...Object.fromEntries(links.map(([name, link]) => [name, inXml(String(link))])) };
}

function inXml(link: string): string {
  const url = new URL(link);
  url.searchParams.set("format", "xml");
  return url.href;
}
