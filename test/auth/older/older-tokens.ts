import { randomInt } from "node:crypto";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import type { ClientApp } from "../../support/consent.ts";
import { stack } from "../../support/stack.ts";

interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Record<string, unknown>;
}

export const randomAddress = () => `127.${randomInt(1, 250)}.${randomInt(250)}.${randomInt(2, 250)}`;

/** Sends from its own address, for the limits. */
export async function token(
  app: ClientApp,
  form: Record<string, string>,
  { address = "127.0.0.1", headers = {} }: { address?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { client_id, client_secret } = app;
  const body = String(new URLSearchParams({ client_id, client_secret, ...form }));
  const asked = request(`${stack.urls.api.replace("localhost", "127.0.0.1")}/oauth2/token`, {
    method: "POST",
    localAddress: address,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  });
  asked.end(body);
  return new Promise((resolve, reject) => {
    asked.once("error", reject).once("response", async (reply) => {
      const parsed = (await json(reply)) as Record<string, unknown>;
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers as Answer["headers"], body: parsed });
    });
  });
}
