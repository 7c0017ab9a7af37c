import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Client, type Grants, isBehaviour } from "./grants.ts";
import { consentPage, refusalPage } from "./page.ts";

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};

/** Serves `/dev/social/{service}/authorize` and `/dev/social/posts.json`. Returns `false` for other paths. */
export const socialPages =
  (grants: Grants) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    // Resolving `///` against a base throws.
    const { pathname, searchParams } = new URL(`http://localhost${request.url}`);
    if (pathname === "/dev/social/posts.json") {
      response.writeHead(200, { ...HEADERS, "Content-Type": "application/json" });
      response.end(JSON.stringify(grants.posts));
      return true;
    }
    const service = /^\/dev\/social\/([a-z_]+)\/authorize$/.exec(pathname)?.[1];
    if (service === undefined) return false;
    const problem = problemOf(searchParams, grants.client);
    if (problem) response.writeHead(400, HEADERS).end(refusalPage(problem));
    else if (request.method === "POST")
      void decide(grants, service, searchParams, request, response).catch(() => response.destroy());
    else response.writeHead(200, HEADERS).end(consentPage(service));
    return true;
  };

function problemOf(asked: URLSearchParams, client: Client): string | undefined {
  if (asked.get("client_id") !== client.id) return "client_id is unknown";
  if (asked.get("redirect_uri") !== client.redirectUri) return "redirect_uri is not the one registered";
  if (asked.get("response_type") !== "code") return "response_type must be code";
  if (asked.get("code_challenge_method") !== "S256" || !asked.get("code_challenge"))
    return "PKCE is needed, with S256";
  return undefined;
}

async function decide(
  grants: Grants,
  service: string,
  asked: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const back = new URL(grants.client.redirectUri);
  back.searchParams.set("state", asked.get("state") ?? "");
  if (form.get("decision") === "allow") back.searchParams.set("code", allow(grants, service, asked, form));
  else back.searchParams.set("error", "access_denied");
  response.writeHead(303, { ...HEADERS, Location: back.href }).end();
}

function allow(grants: Grants, service: string, asked: URLSearchParams, form: URLSearchParams): string {
  const behaviour = form.get("behaviour");
  return grants.allow({
    service,
    challenge: asked.get("code_challenge") ?? "",
    name: form.get("name")?.trim() || "Ana Example",
    pages: (form.get("pages") ?? "").split(",").flatMap((page) => page.trim() || []),
    behaviour: isBehaviour(behaviour) ? behaviour : "works",
  });
}
