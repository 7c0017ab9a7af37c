import "./days.ts";
import "./menu.ts";
import "./player/site-player.ts";
import "./theme.ts";

/** Loaded by pages of accounts and docs, which load as a whole. The music is handed from one to the next. */
