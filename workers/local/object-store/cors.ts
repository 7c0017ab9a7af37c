import type { ServerResponse } from "node:http";
import type { CorsRule } from "./config.ts";
import { refuse } from "./errors.ts";
import { header, type S3Request } from "./request.ts";

/** `*` matches any run of characters, once per pattern. */
function matches(pattern: string, text: string): boolean {
  const [start = "", end] = pattern.split("*", 2);
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

function findRule(rules: readonly CorsRule[], origin: string, method: string, headers: readonly string[]) {
  return rules.find(
    ({ allowed }) =>
      allowed.methods.includes(method) &&
      allowed.origins.some((pattern) => matches(pattern, origin)) &&
      headers.every((name) => allowed.headers?.some((pattern) => matches(pattern.toLowerCase(), name))),
  );
}

/** Set before anything can fail, because browsers hide error bodies without these headers. */
export function allowOrigin(request: S3Request, response: ServerResponse, rules: readonly CorsRule[]) {
  response.setHeader("Vary", "Origin");
  const origin = header(request, "origin");
  const rule = origin === undefined ? undefined : findRule(rules, origin, request.method, []);
  if (!origin || !rule) return;
  response.setHeader("Access-Control-Allow-Origin", rule.allowed.origins.includes("*") ? "*" : origin);
  if (rule.exposeHeaders?.length)
    response.setHeader("Access-Control-Expose-Headers", rule.exposeHeaders.join(", "));
}

export function answerPreflight(request: S3Request, response: ServerResponse, rules: readonly CorsRule[]) {
  response.setHeader("Vary", "Origin, Access-Control-Request-Headers, Access-Control-Request-Method");
  const origin = header(request, "origin") ?? refuse("AccessForbidden", "A preflight must name its origin");
  const method = header(request, "access-control-request-method") ?? "";
  const names = header(request, "access-control-request-headers")?.toLowerCase().split(",") ?? [];
  const wanted = names.map((name) => name.trim()).filter((name) => name !== "");
  const rule =
    findRule(rules, origin, method, wanted) ?? refuse("AccessForbidden", "No CORS rule allows this");
  response.setHeader("Access-Control-Allow-Origin", rule.allowed.origins.includes("*") ? "*" : origin);
  response.setHeader("Access-Control-Allow-Methods", rule.allowed.methods.join(", "));
  if (wanted.length > 0) response.setHeader("Access-Control-Allow-Headers", wanted.join(", "));
  if (rule.maxAgeSeconds !== undefined) response.setHeader("Access-Control-Max-Age", rule.maxAgeSeconds);
  response.writeHead(204).end();
}
