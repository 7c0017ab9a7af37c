import { openCountryFile } from "../../local/front/country-file.ts";
import type { Settings } from "../../local/stack/settings.ts";
import { about, type Finding, reasonOf } from "./finding.ts";

const CLOSED = "a track that is restricted to countries is blocked for all but its owner";

/** Reports whether the server learns its listeners' countries. */
export function* countryChecks({ server }: Settings): Generator<Finding> {
  const { ok, warning, wrong } = about("countries");
  const { countryHeader, countryFile, trustedProxies } = server;
  if (countryHeader && !trustedProxies.length)
    yield wrong(`COUNTRY_HEADER is believed from TRUSTED_PROXIES alone, which is not set: ${CLOSED}`);
  else if (countryHeader) yield ok(`named by ${trustedProxies.join(", ")} in ${countryHeader}`);
  if (countryFile)
    try {
      openCountryFile(countryFile);
      yield ok(`looked up in ${countryFile}`);
    } catch (error) {
      yield wrong(`COUNTRY_FILE cannot be used: ${reasonOf(error)}`);
    }
  if (!countryHeader && !countryFile && server.isPublic)
    yield warning(`neither COUNTRY_HEADER nor COUNTRY_FILE is set: ${CLOSED}`);
}
