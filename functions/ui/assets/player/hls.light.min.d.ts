/** The bundle is a plain script that defines one global name. */
export {};

declare global {
  interface Window {
    Hls?: typeof import("hls.js").default;
  }
}
