import type { Context } from "hono";
import { getPath } from "hono/utils/url";
import type * as z from "zod";
import { HttpError } from "../../errors/http-error.ts";
import type { AppEnv } from "../env.ts";
import { badRequest, ErrorBody } from "../errors.ts";
import { isRead } from "../methods.ts";
import { cameByOlderHost } from "../older.ts";
import { urlOf } from "../url.ts";
import { negotiate } from "./accept.ts";
import { callableName, errorInBody, JSONP_HEADERS, jsonpText } from "./jsonp.ts";
import { xmlDocument } from "./xml.ts";

export type Format = "json" | "xml" | "jsonp";

/** A requested format other than plain JSON. */
interface RequestedFormat {
  format: Format;
  /** Name of the JSONP function. */
  callback?: string;
  /** Chosen by the host, not by the client. */
  byHost?: boolean;
  /** CSV was asked for, which some operations offer and the others refuse. */
  isCsv?: boolean;
  refusal?: { error: HttpError; byAccept: boolean };
}

type Replies = Record<number, z.ZodType | string>;

declare module "hono" {
  interface ContextVariableMap {
    requestedFormat: RequestedFormat | undefined;
    /** Set once the operation is known. */
    replies: Replies | undefined;
  }
}

/** Begins with a letter, so `/tracks/1.0` has no suffix. */
const SUFFIX = /\.([A-Za-z][A-Za-z0-9]{0,15})$/;

interface Paths {
  ofResource: (path: string) => boolean;
  /** Whether a path that is no resource's may end with a slash, too. */
  withSlash: (path: string) => boolean;
}

/** Returns the path for routing, without a trailing slash and a resource's suffix. */
export const routedPath =
  ({ ofResource, withSlash }: Paths) =>
  (request: Request): string => {
    const path = getPath(request);
    const whole = withoutSlash(path);
    const suffix = whole.lastIndexOf(".") > whole.lastIndexOf("/") ? SUFFIX.exec(whole) : null;
    const bare = suffix ? whole.slice(0, suffix.index) : whole;
    if (ofResource(bare)) return bare;
    return withSlash(whole) ? whole : path;
  };

/** Many older clients ask for `/tracks/?q=…`. A redirect would lose their forms and preflights. */
const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);

/** Records the requested format. Resources and errors are always made as JSON first. */
export function chooseFormat(c: Context<AppEnv>): void {
  const requested = readFormat(c);
  if (requested) c.set("requestedFormat", requested);
}

/** Rewrites a JSON reply as XML or JSONP if the client asked for it. */
export async function renderFormat(c: Context<AppEnv>): Promise<void> {
  const requested = c.get("requestedFormat");
  if (!requested || requested.format === "json") return;
  // A form may name JSON in place of the older host's XML.
  if (requested.byHost && c.get("formatInForm") === "json") return;
  if (isOurJson(c)) await replaceReply(c, requested);
}

/**
 * Refuses an unavailable format, after the viewer is identified and before the handler runs. `isMedia`: the reply is a
 * file or leads to one, which `Accept` then describes.
 */
export function settleFormat(c: Context, isMedia: boolean, offersCsv: boolean): void {
  if (offersCsv && wantsCsv(c)) return;
  const refusal = c.get("requestedFormat")?.refusal;
  if (refusal && !(refusal.byAccept && isMedia)) throw refusal.error;
  if (c.get("requestedFormat")?.format === "jsonp" && bringsCredential(c)) refuseJsonp(c);
}

export const wantsCsv = (c: Context): boolean => c.get("requestedFormat")?.isCsv ?? false;

/** Any page can load a script and read it, so JSONP shows public content only. */
export function refuseJsonp(c: Context): void {
  if (c.get("requestedFormat")?.format === "jsonp")
    throw new HttpError(406, [
      "JSONP is not available with a token or a secret: any page could read the reply",
    ]);
}

/** A client id alone is public. */
const bringsCredential = ({ req }: Context): boolean =>
  req.header("Authorization") !== undefined ||
  req.query("oauth_token") !== undefined ||
  Boolean(req.query("secret_token"));

/** Returns `undefined` for plain JSON, the usual case. */
function readFormat(c: Context<AppEnv>): RequestedFormat | undefined {
  const usual: Format = cameByOlderHost(c) ? "xml" : "json";
  try {
    const named = namedFormat(c);
    const format = named ?? acceptedFormat(c, usual);
    const callback = format === "xml" ? undefined : callbackOf(c, format);
    if (callback !== undefined) return { format: "jsonp", callback };
    return format === "json" ? undefined : { format, byHost: named === undefined && usual === "xml" };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const byAccept = error instanceof NothingAcceptable;
    const isCsv = byAccept
      ? negotiate(c.req.header("Accept"), [OFFERS.csv]) !== undefined
      : error instanceof UnknownFormat && error.named === "csv";
    return { format: usual, isCsv, refusal: { error, byAccept } };
  }
}

/** Reads the suffix or `format`. An empty one counts as missing. */
export function namedFormat(c: Context): Format | undefined {
  const { path } = c.req;
  const url = urlOf(c);
  const end = url.indexOf("?");
  const asked = end < 0 ? url : url.slice(0, end);
  const suffix = asked.endsWith(path) ? undefined : SUFFIX.exec(withoutSlash(getPath(c.req.raw)))?.[1];
  const given = end < 0 ? [] : (c.req.queries("format") ?? []);
  if (given.length > 1) badRequest("format was sent more than once");
  const named = suffix ?? (given[0] || undefined);
  if (named === undefined || named === "json" || named === "xml") return named;
  // oEmbed's name for JSONP.
  if (named !== "jsonp" && named !== "js") throw new UnknownFormat(named);
  if (!isRead(c)) throw new HttpError(406, ["JSONP is available for reading only"]);
  return "jsonp";
}

class UnknownFormat extends HttpError {
  readonly named: string;

  constructor(named: string) {
    super(406, ["The format must be json, xml or jsonp"]);
    this.named = named;
  }
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
  // A script element's `Accept` may name scripts only.
  const script = negotiate(accept, [OFFERS.script]);
  if (script && isRead(c) && c.req.queries("callback")) return "json";
  throw new NothingAcceptable();
}

/** Browsers accept XML but not JSON, and would show markup to a person who opens a URL. */
const isBrowsers = (accept: string) => accept.includes("text/html") && accept.includes("*/*");

const OFFERS = {
  json: { name: "json", mediaType: "application/json", aliases: ["text/json"] },
  xml: { name: "xml", mediaType: "application/xml", aliases: ["text/xml"] },
  csv: { name: "csv", mediaType: "text/csv", aliases: [] },
  script: {
    name: "script",
    mediaType: "text/javascript",
    aliases: ["application/javascript", "application/x-javascript"],
  },
} as const;

/** Some clients send `callback[]`, as if it were a list. */
function callbackOf(c: Context, format: Format): string | undefined {
  if (!isRead(c) || (format === "json" && !urlOf(c).includes("callback"))) return undefined;
  const sent = [...(c.req.queries("callback") ?? []), ...(c.req.queries("callback[]") ?? []).map(() => "")];
  return format === "json" && !sent.length ? undefined : callableName(sent);
}

/** Excludes media, pages and redirects. */
function isOurJson({ res }: Context): boolean {
  const isJson = res.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return isJson && (res.status < 300 || res.status >= 400);
}

async function replaceReply(c: Context<AppEnv>, requested: RequestedFormat): Promise<void> {
  const { res } = c;
  const schema = res.status >= 400 ? ErrorBody : c.get("replies")?.[res.status];
  if (typeof schema === "string") return;
  const value: unknown = JSON.parse(await res.text());
  const headers = new Headers(res.headers);
  headers.delete("Content-Length");
  // Reset first: otherwise Hono copies the JSON's headers onto the new reply.
  c.res = undefined;
  if (requested.callback !== undefined) {
    for (const [name, text] of Object.entries(JSONP_HEADERS)) headers.set(name, text);
    c.res = new Response(jsonpText(requested.callback, errorInBody(res.status, value)), { headers });
    return;
  }
  headers.set("Content-Type", "application/xml; charset=utf-8");
  const link = headers.get("Link");
  if (requested.byHost && link)
    headers.set(
      "Link",
      link.replace(/^<([^>]+)>; rel="next"/, (_, next) => `<${inXml(next)}>; rel="next"`),
    );
  const content = requested.byHost ? withXmlLinks(value) : value;
  c.res = new Response(xmlDocument(content, schema), { status: res.status, headers });
}

/** Links point to the current host, which defaults to JSON. */
function withXmlLinks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const links = Object.entries(value).filter(([name]) => name === "next_href" || name === "future_href");
  return { ...value, ...Object.fromEntries(links.map(([name, link]) => [name, inXml(String(link))])) };
}

function inXml(link: string): string {
  const url = new URL(link);
  url.searchParams.set("format", "xml");
  return url.href;
}
