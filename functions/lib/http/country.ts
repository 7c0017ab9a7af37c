import type { HonoRequest } from "hono";

/**
 * The request's country, ISO 3166-1 alpha-2, as the platform saw it. The header counts only without a
 * platform, where the local front sets it: on a deployment a client could send it.
 */
export function countryOf(request: HonoRequest): string | undefined {
  const { cf } = request.raw as { cf?: { country?: string } };
  return cf ? cf.country : request.header("CF-IPCountry");
}

/** Without the codes for unknown addresses (`XX`) and for Tor (`T1`). */
export function knownCountryOf(request: HonoRequest): string | undefined {
  const country = countryOf(request);
  return country && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : undefined;
}
