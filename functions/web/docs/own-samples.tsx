import type { Env } from "../../lib/http/env.ts";
import { Prose } from "../../ui/prose.tsx";

/** Stands above the samples of a page. */
export const ABOUT_SAMPLES =
  "The samples read your token from the environment variable `TOKEN`, and names such as `TRACK_ID` stand for ids of yours.";

/** Offers to fill in the reader's ids and to run the samples. Without script, the link leads to a token. */
export const OwnSamples = ({ env }: { env: Env }) => (
  <div class="docs-own" role="status">
    <Prose text={ABOUT_SAMPLES} />
    <a
      class="button quiet small"
      href={`${env.AUTH_URL}/you/token`}
      data-token-page={`${env.AUTH_URL}/you/token`}
    >
      Sign in to fill in yours
    </a>
  </div>
);
