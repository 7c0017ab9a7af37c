import "./player-buttons.js";
import "./player-further.js";
import "./player-keys.js";
import "./page-moments.ts";
import "./player-media-session.js";
import "./player-memory.js";
import "./player-tabs.js";
import "./track-player.js";
import { openBar } from "./player-bar.js";

/** The one player of the site and everything on pages that drives it. */
const bar = document.querySelector("#player-bar .deck");
if (bar) openBar(bar);
