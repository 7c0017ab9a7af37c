import "./docs-copy.js";
import "./docs-languages.js";
import "./docs-search.js";
import "./docs-try.js";

/** Loaded by the pages of /docs. Without it everything can be read, and forms lead to pages. */

// The list of pages is open for readers without scripts; on a phone it would hide the page.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".docs-nav").open = false;
