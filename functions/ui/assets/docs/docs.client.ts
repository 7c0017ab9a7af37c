import "./docs-copy.ts";
import "./docs-languages.ts";
import "./docs-search.ts";
import "./docs-samples.ts";
import "./docs-run.ts";

/** Loaded by the pages of /docs. Without it everything can be read, and forms lead to pages. */

// Opening moves nothing where the list stands beside the page. On a phone, where it stands above, readers open it.
if (!matchMedia("(max-width: 60rem)").matches) document.querySelector(".docs-nav")?.setAttribute("open", "");
