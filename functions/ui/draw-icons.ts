/**
 * Draws the site's icons from its logo: `node functions/ui/draw-icons.ts`. It is not part of the Worker.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const ASSETS = join(import.meta.dirname, "assets");
const logo = readFileSync(join(ASSETS, "logo.svg"));

interface Icon {
  name: string;
  side: number;
  /** The logo's share of the side. Systems crop maskable icons to a circle of four fifths. */
  share: number;
  /** Systems without transparency would show black. */
  background?: string;
}

const ICONS: Icon[] = [
  { name: "icon-48.png", side: 48, share: 1 },
  { name: "icon-192.png", side: 192, share: 0.9 },
  { name: "icon-512.png", side: 512, share: 0.9 },
  { name: "icon-maskable-512.png", side: 512, share: 0.55, background: "#ffffff" },
  { name: "apple-touch-icon.png", side: 180, share: 0.7, background: "#ffffff" },
];

for (const { name, side, share, background = "#ffffff00" } of ICONS) {
  const inner = Math.round(side * share);
  const drawn = await sharp(logo, { density: (72 * inner) / 32 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  const edge = Math.floor((side - inner) / 2);
  const rest = side - inner - edge;
  const icon = await sharp(drawn)
    .extend({ top: edge, left: edge, bottom: rest, right: rest, background })
    .flatten(background === "#ffffff00" ? false : { background })
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
  writeFileSync(join(ASSETS, name), icon);
}
