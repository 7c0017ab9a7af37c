import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { SessionEnded } from "../../db/faults.ts";
import type { AppEnv, SignedInViewer, Viewer } from "../lib/http/env.ts";
import type { ErrorBody } from "../lib/http/errors.ts";
import { markInner } from "../lib/http/inner.ts";
import type { FormState } from "./form.tsx";
import { clearSiteViewer, SITE_VISITOR, siteViewer } from "./viewer.ts";

/**
 * The pages' client of the API. Requests stay within the Worker and cost one statement each, like the API's own. So
 * pages have the API's checks, budgets and texts.
 */

/** The API refused. `causes` are its messages, such as `track[title]: is missing`. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly status: ContentfulStatusCode;
  readonly causes: string[];
  /** Names the explanation, such as `plan-needed`. */
  readonly type: string | undefined;

  constructor(status: ContentfulStatusCode, causes: string[], type?: string) {
    super(`${status}: ${causes.join("; ")}`);
    this.status = status;
    this.causes = causes;
    this.type = type;
  }

  /** Problems by field, for showing the form again. Causes without a field are under `""`. */
  get problems(): FormState["problems"] {
    return Object.fromEntries(
      this.causes.toReversed().map((cause) => {
        const [, field = "", inner, text = cause] = /^(\w+)(?:\[(\w+)\][^:]*)?: (.*)$/s.exec(cause) ?? [];
        return [inner ?? field, text];
      }),
    );
  }
}

/** The page is for signed-in users. Its renderer redirects to the sign-in and back. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Requests a path of the API as the page's reader and returns the reply's body. Throws `ApiRefusal` or `SignInNeeded`.
 * An ended session reads as a visitor.
 */
export async function readApi<Body>(c: Context<AppEnv>, path: string): Promise<Body> {
  const viewer = siteViewer(c);
  const reply = await send(c, "GET", path, viewer ?? SITE_VISITOR);
  if (reply.status !== 401) return bodyOf<Body>(reply);
  if (!viewer) throw new SignInNeeded();
  clearSiteViewer(c);
  const asVisitor = await send(c, "GET", path, SITE_VISITOR);
  if (asVisitor.status === 401) throw new SignInNeeded();
  return bodyOf<Body>(asVisitor);
}

/**
 * Writes through the API as the signed-in reader. A form's body may hold files. `ifMatch` is the ETag that the reader
 * saw. Throws `ApiRefusal` or `SignInNeeded`.
 */
export async function writeApi<Body = unknown>(
  c: Context<AppEnv>,
  method: Exclude<Method, "GET">,
  path: string,
  body?: unknown,
  { ifMatch }: { ifMatch?: string | undefined } = {},
): Promise<Body> {
  const viewer = siteViewer(c);
  if (!viewer) throw new SignInNeeded();
  const reply = await send(c, method, path, viewer, body, ifMatch);
  if (reply.status !== 401) return bodyOf<Body>(reply);
  clearSiteViewer(c);
  throw new SignInNeeded();
}

/** Returns the result of a write, or the API's refusal of one of these statuses, for the form to show. */
export const orRefusal = <Body>(
  write: Promise<Body>,
  ...statuses: ContentfulStatusCode[]
): Promise<Body | ApiRefusal> =>
  write.catch((error: unknown) => {
    if (error instanceof ApiRefusal && statuses.includes(error.status)) return error;
    throw error;
  });

/**
 * Deletes a resource by its id as the signed-in reader. If another window has already done it, the next page shows
 * that.
 */
export const deleteInApi = (c: Context<AppEnv>, path: string): Promise<unknown> =>
  writeApi(c, "DELETE", path).catch((error) => {
    const isGone = error instanceof ApiRefusal && error.status === 404 && /\/\d+(?:\?|$)/.test(path);
    if (!isGone) throw error;
  });

/**
 * Runs one of the site's own statements as the signed-in reader, where the API has no endpoint. Throws `SignInNeeded`.
 */
export async function asReader<Found>(
  c: Context<AppEnv>,
  ask: (viewer: SignedInViewer) => Promise<Found>,
): Promise<Found> {
  const viewer = siteViewer(c);
  if (!viewer) throw new SignInNeeded();
  try {
    return await ask(viewer);
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    clearSiteViewer(c);
    throw new SignInNeeded();
  }
}

/** Form fields are part of paths. Values such as `..` or `7.xml` would change the path or the format. */
function isOnePath(path: string): boolean {
  const [plain = ""] = path.split("?");
  return new URL(plain, "http://nowhere.invalid").pathname === plain && !/\.\w+$/.test(plain);
}

/** The platform's facts about the client, which budgets and country rules read. */
const PASSED_ON = ["CF-Connecting-IP", "CF-IPCountry", "User-Agent"];

function send(
  c: Context<AppEnv>,
  method: Method,
  path: string,
  viewer: Viewer,
  body?: unknown,
  ifMatch?: string,
) {
  if (!isOnePath(path)) throw new ApiRefusal(404, ["Nothing is there"]);
  if (ifMatch !== undefined && !/^[\x21-\x7e]*$/.test(ifMatch))
    throw new ApiRefusal(412, ["No such version"]);
  const headers = new Headers({ Accept: "application/json", "X-Request-Id": c.var.requestId });
  for (const name of PASSED_ON) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (ifMatch !== undefined) headers.set("If-Match", ifMatch);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("Content-Type", "application/json");
  const request = new Request(`${c.env.API_URL}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    cf: (c.req.raw as { cf?: object }).cf,
  } as RequestInit);
  return c.var.answerInner(markInner(request, { viewer, log: c.var.log }));
}

async function bodyOf<Body>(reply: Response): Promise<Body> {
  const text = await reply.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  if (reply.status < 400) return body as Body;
  const { errors, link } = body as ErrorBody;
  throw new ApiRefusal(
    reply.status as ContentfulStatusCode,
    errors.map(({ error_message }) => error_message),
    link.split("#")[1],
  );
}
