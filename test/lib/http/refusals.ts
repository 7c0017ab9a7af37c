import { expect } from "vitest";
import { api, type ErrorReply } from "../../support/api.ts";

export const CHALLENGE = 'OAuth realm="api", Bearer realm="api"';

export const INVALID = 'OAuth realm="api", error="invalid_token", Bearer realm="api", error="invalid_token"';

export const asking = (path: string, headers: Record<string, string>) =>
  api.get<ErrorReply>(path, { headers });

/** Expects a refusal without a statement. */
export async function expectRefused(path: string, headers: Record<string, string>, challenge = INVALID) {
  const reply = await asking(path, headers);
  expect([reply.status, reply.headers.get("WWW-Authenticate")]).toEqual([401, challenge]);
  expect(reply.headers.get("Server-Timing")).toBeNull();
  expect(reply.body).toMatchObject({ code: 401, message: "401 - Unauthorized", error: null });
  return reply;
}
