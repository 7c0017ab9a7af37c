/** Cloudflare's reply, whether it agrees or not. */
export interface Reply<Result> {
  success: boolean;
  errors: { message: string }[];
  result: Result;
}

/** Calls Cloudflare's API with a token. Rejects with the reason if no reply of the API comes. */
export async function askCloudflare<Result>(
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Reply<Result>> {
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
  const reply = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => Promise.reject(new Error(String(error.cause ?? error))));
  // A gateway before the API answers in HTML.
  return reply.json().catch(() => Promise.reject(new Error(`status ${reply.status}`))) as Promise<
    Reply<Result>
  >;
}
