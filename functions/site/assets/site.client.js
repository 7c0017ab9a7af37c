import * as Turbo from "@hotwired/turbo";
import "./share.js";
import "./site-player.js";
import "./waiting.js";

/** Loaded by every page of the site. Links and forms swap the page's body, so the player plays on. */

// Its progress bar brings an inline style, which the policy forbids. The site shows its own.
Turbo.config.drive.progressBarDelay = 2 ** 30;

const root = document.documentElement;
for (const event of ["turbo:visit", "turbo:submit-start"])
  document.addEventListener(event, () => root.classList.add("visiting"));
for (const event of ["turbo:load", "turbo:submit-end"])
  document.addEventListener(event, () => root.classList.remove("visiting"));
