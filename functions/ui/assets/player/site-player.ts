import "./departure.ts";
import "./player-buttons.ts";
import "./player-enqueue.ts";
import "./player-further.ts";
import "./player-keys.ts";
import "./page-moments.ts";
import "./player-media-session.ts";
import "./player-memory.ts";
import "./player-sets.ts";
import "./player-tabs.ts";
import "./track-player.ts";
import { findIfAny } from "../elements.ts";
import { openBar } from "./player-bar.ts";

/** The one player of the site and everything on pages that drives it. */
const bar = findIfAny(document, "#player-bar .deck", HTMLElement);
if (bar) openBar(bar);
