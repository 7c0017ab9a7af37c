/** A client of the API. One that `carries` returns the header of the latest reply to a write. */
export function clientAt(api: string, token: string, carries: boolean) {
  let latest = "0";
  return async (method: string, path: string, json?: unknown) => {
    const reply = await fetch(api + path, {
      method,
      headers: {
        ...{ Authorization: `OAuth ${token}`, "Content-Type": "application/json" },
        ...(carries && { "Read-After": latest }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    latest = reply.headers.get("Read-After") ?? latest;
    const text = await reply.text();
    return { status: reply.status, body: text ? JSON.parse(text) : undefined };
  };
}
