import { expect } from "vitest";
import type { Reply } from "../../support/api.ts";
import { stack } from "../../support/stack.ts";

export function expectErrorObject({ status, headers, body }: Reply<unknown>): void {
  const message = expect.stringMatching(new RegExp(`^${status} - [A-Z]`));
  const errors = expect.arrayContaining([expect.objectContaining({ error_message: expect.any(String) })]);
  expect(body).toEqual({
    code: status,
    message,
    status: message,
    link: expect.stringMatching(new RegExp(`^${stack.urls.api}/docs/errors#[a-z-]+$`)),
    errors,
    error: null,
    type: expect.stringMatching(/^[a-z-]+$/),
    request_id: headers.get("X-Request-Id"),
  });
  expect((body as { link: string; type: string }).link.split("#")[1]).toBe((body as { type: string }).type);
  expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{8,64}$/);
  expect(headers.get("Cache-Control")).toBe("no-store");
}

export const UNKNOWN_ID = 4_503_599_627_370_496;
