import { createClient } from "soundpost";
import { verifyWebhook, WebhookError } from "soundpost/webhooks";

/** An app in a Worker: who holds the token, whether it takes an unsigned delivery, and the event after an id. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const api = createClient({
      apiUrl: searchParams.get("api") ?? "",
      token: searchParams.get("token") ?? "",
    });
    const { id } = await api.get("/me");
    const titles: string[] = [];
    for await (const { title } of api.each("/me/tracks", { query: { limit: 1 } })) titles.push(title);
    const unsigned = verifyWebhook({ headers: request.headers, body: "{}" }, "whsec_AAAA");
    const refused = await unsigned.catch((error: unknown) => error instanceof WebhookError);
    const after = searchParams.get("after");
    if (!after) return Response.json({ id, titles, refused });
    for await (const { type } of api.events({ lastEventId: after })) return Response.json({ event: type });
    return Response.json({});
  },
};
