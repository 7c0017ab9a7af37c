import type { Env } from "../lib/http/env.ts";
import { assetUrl } from "./assets.ts";

/** A secret that is shown once. The script adds a button that copies it. */
export const Secret = ({ env, text, id }: { env: Env; text: string; id?: string }) => (
  <copy-text>
    <p>
      <code class="secret" id={id}>
        {text}
      </code>
    </p>
    <script type="module" src={assetUrl(env, "copy-text.client.js")} />
  </copy-text>
);
