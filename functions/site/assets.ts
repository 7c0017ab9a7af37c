import { createHash } from "node:crypto";
import hlsScript from "hls.js/dist/hls.light.min.js";
import accountsStyle from "./assets/accounts.css";
import consentStyle from "./assets/consent.css";
import embedScript from "./assets/embed.client.js";
import embedStyle from "./assets/embed.css";
import playbackScript from "./assets/playback.client.js";
import playerScript from "./assets/player.client.js";
import referenceStyle from "./assets/reference.css";
import remarksScript from "./assets/remarks.client.js";
import style from "./assets/style.css";
import trackStyle from "./assets/track.css";
import trackListScript from "./assets/track-list.client.js";
import waitingScript from "./assets/waiting.client.js";
import waveformScript from "./assets/waveform.client.js";
import { LOGO_SVG } from "./logo.tsx";

const SCRIPT = "text/javascript; charset=utf-8";

const FILES: Record<string, { type: string; text: string }> = {
  "style.css": {
    type: "text/css; charset=utf-8",
    text: style + accountsStyle + trackStyle + referenceStyle + consentStyle + embedStyle,
  },
  "player.client.js": { type: SCRIPT, text: playerScript },
  "playback.client.js": { type: SCRIPT, text: playbackScript },
  "waveform.client.js": { type: SCRIPT, text: waveformScript },
  "remarks.client.js": { type: SCRIPT, text: remarksScript },
  "track-list.client.js": { type: SCRIPT, text: trackListScript },
  "embed.client.js": { type: SCRIPT, text: embedScript },
  "waiting.client.js": { type: SCRIPT, text: waitingScript },
  "hls.light.min.js": { type: SCRIPT, text: hlsScript },
  "logo.svg": { type: "image/svg+xml", text: LOGO_SVG },
};

/** One version for all files, so that scripts can import each other by relative addresses. */
const VERSION = Object.values(FILES)
  .reduce((hash, { text }) => hash.update(text).update("\0"), createHash("sha256"))
  .digest("base64url")
  .slice(0, 12);

export const assetPath = (name: keyof typeof FILES): string => `/static/${VERSION}/${name}`;

const IMMUTABLE = "public, max-age=31536000, immutable";

/** Another deployment's version gets this one's file, but must not be cached under that name. */
export function serveAsset(version: string, name: string): Response | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) return undefined;
  return new Response(file.text, {
    headers: {
      "Content-Type": file.type,
      "Cache-Control": version === VERSION ? IMMUTABLE : "no-store",
      // Modules are fetched with CORS, and pages on the API's host use them too.
      "Access-Control-Allow-Origin": "*",
    },
  });
}
