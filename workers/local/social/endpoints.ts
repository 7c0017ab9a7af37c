import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Grant, type Grants, profileId } from "./grants.ts";

const ENDLESS_CHUNK = "x".repeat(64 * 1024);

/** Serves the Worker at `/{service}/token`, `/{service}/profile` and `/{service}/pages`. */
export const socialEndpoints =
  (grants: Grants) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, service = "", endpoint = ""] = (request.url ?? "").split(/[/?]/);
    const send = (status: number, body: unknown) =>
      void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (endpoint === "token" && request.method === "POST") {
      const sent = new URLSearchParams(await text(request));
      return send(...answerOf(grants, service, request.headers.authorization, sent));
    }
    const grant = grants.grantOf(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    if (!grant) return send(401, { error: "invalid_token" });
    if (endpoint === "posts" && request.method === "POST")
      return send(await postOutcome(grants, grant, request), {});
    if (grant.service !== service) return send(401, { error: "invalid_token" });
    if (endpoint === "pages") return send(200, { data: pagesOf(grant) });
    if (endpoint !== "profile") return send(404, { error: "not_found" });
    misbehave(grant, request, response) || send(200, profileOf(grant));
  };

function answerOf(
  grants: Grants,
  service: string,
  authorization: string | undefined,
  sent: URLSearchParams,
): [status: number, body: object] {
  const { id, secret, redirectUri } = grants.client;
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  // Basic credentials are form-encoded, which turns `-` and `_` into %2D and %5F.
  if (decodeURIComponent(decodeBasic(authorization)) !== decodeBasic(basic))
    return [401, { error: "invalid_client" }];
  const redeemed =
    sent.get("grant_type") === "refresh_token"
      ? grants.renew(sent.get("refresh_token") ?? "")
      : sent.get("redirect_uri") === redirectUri &&
        grants.redeem(service, sent.get("code") ?? "", sent.get("code_verifier") ?? "");
  if (!redeemed || redeemed.grant.behaviour === "refuses-code") return [400, { error: "invalid_grant" }];
  if (redeemed.grant.behaviour === "breaks-down") return [500, { error: "server_error" }];
  const { token, refreshToken } = redeemed;
  return [200, { access_token: token, token_type: "bearer", expires_in: 3600, refresh_token: refreshToken }];
}

/** Keys of posts that failed once. */
const failed = new Set<string>();

async function postOutcome(grants: Grants, { name, behaviour }: Grant, request: IncomingMessage) {
  const fields = JSON.parse(await text(request)) as Record<string, string>;
  const key = String(request.headers["idempotency-key"]);
  if (behaviour === "takes-no-posts") return 401;
  if (behaviour === "posts-later" && !failed.has(key)) {
    failed.add(key);
    return 503;
  }
  return grants.take({ by: name, key, fields }) ? 201 : 200;
}

const decodeBasic = (authorization = "") =>
  Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString();

const pagesOf = ({ pages, behaviour }: Grant) =>
  behaviour === "nobody"
    ? []
    : pages.map((name) => ({ id: profileId(name), name, access_token: `page-${profileId(name)}` }));

function profileOf({ service, name, behaviour }: Grant): object {
  if (behaviour === "nobody") return { data: [] };
  const profile = { id: profileId(name), name };
  return service === "twitter" ? { data: { ...profile, username: name.replace(/\W/g, "") } } : profile;
}

/** Returns `true` if it has sent the reply. */
function misbehave({ behaviour }: Grant, request: IncomingMessage, response: ServerResponse): boolean {
  switch (behaviour) {
    case "rubbish":
      response.writeHead(200, { "Content-Type": "application/json" }).end("<html>Oops</html>");
      return true;
    case "leads-on":
      response.writeHead(302, { Location: `${request.url}?again` }).end();
      return true;
    case "too-long":
      response.writeHead(200, { "Content-Type": "application/json" });
      pourInto(response);
      return true;
    case "silent":
      return true;
    default:
      return false;
  }
}

function pourInto(response: ServerResponse): void {
  while (!response.destroyed && response.write(ENDLESS_CHUNK));
  if (!response.destroyed) response.once("drain", () => pourInto(response));
}
