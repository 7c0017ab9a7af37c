import { createHash } from "node:crypto";
import hlsScript from "hls.js/dist/hls.light.min.js";
import embedScript from "../embed/embed.client.js";
import embedStyle from "../embed/embed.css";
import accountsStyle from "./accounts.css";
import consentStyle from "./consent.css";
import { LOGO_SVG } from "./logo.tsx";
import playbackScript from "./playback.client.js";
import playerScript from "./player.client.js";
import referenceStyle from "./reference.css";
import remarksScript from "./remarks.client.js";
import style from "./style.css";
import trackStyle from "./track.css";
import trackListScript from "./track-list.client.js";
import waitingScript from "./waiting.client.js";
import waveformScript from "./waveform.client.js";

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

/** One for all of them, so that scripts can import each other by relative addresses. */
const VERSION = Object.values(FILES)
  .reduce((hash, { text }) => hash.update(text).update("\0"), createHash("sha256"))
  .digest("base64url")
  .slice(0, 12);

export const assetPath = (name: keyof typeof FILES): string => `/static/${VERSION}/${name}`;

const IMMUTABLE = "public, max-age=31536000, immutable";

/** Under another deployment's version this one's file still answers, but no cache may keep it under that name. */
export function serveAsset(version: string, name: string): Response | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) return undefined;
  return new Response(file.text, {
    headers: {
      "Content-Type": file.type,
      "Cache-Control": version === VERSION ? IMMUTABLE : "no-store",
      // Modules are fetched with CORS, and pages of the API's host use these too.
      "Access-Control-Allow-Origin": "*",
    },
  });
}
