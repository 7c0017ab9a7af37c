import type { Env } from "../lib/http/env.ts";
import { assetUrl } from "./assets.ts";

interface CopyFieldProps {
  env: Env;
  value: string;
  id?: string;
  class?: string;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
}

/** An address to take elsewhere. The script adds a button that copies it. */
export const CopyField = ({ env, ...field }: CopyFieldProps) => (
  <copy-text>
    <input type="text" readonly {...field} />
    <script type="module" src={assetUrl(env, "copy-text.client.js")} />
  </copy-text>
);
