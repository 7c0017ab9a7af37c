import type { HonoRequest } from "hono";

/**
 * ISO 3166-1 alpha-2 of where a request comes from, as the platform saw it. The header stands in only where there is no
 * platform: deployed, a client could send it.
 */
export function countryOf(request: HonoRequest): string | undefined {
  const { cf } = request.raw as { cf?: { country?: string } };
  return cf ? cf.country : request.header("CF-IPCountry");
}
