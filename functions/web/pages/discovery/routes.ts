import { Routes } from "../../../lib/http/route.ts";
import { showSiteError } from "../../../ui/site-page.tsx";
import { showDiscovery } from "./discover.tsx";
import { showHome } from "./home.tsx";
import { showSearch } from "./search.tsx";
import { sendSuggestions } from "./suggestions.tsx";
import { showTag } from "./tag.tsx";

/** {web_url}: the home page, and ways to find tracks, people and sets. */
export const discovery = new Routes({ renderError: showSiteError });

discovery.page("/", showHome);
discovery.page("/discover", showDiscovery);
discovery.page("/search", showSearch);
discovery.page("/search/suggestions", sendSuggestions);
discovery.page("/tags/:tag", showTag);
