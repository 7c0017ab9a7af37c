import { Routes } from "../../../lib/http/route.ts";
import { showSiteError } from "../../../ui/site-page.tsx";
import { showHistory } from "./history.tsx";
import { showLibrary } from "./library.tsx";
import { showNotifications } from "./notifications.tsx";

/** {web_url}: the reader's collection, history and notifications. */
export const library = new Routes({ renderError: showSiteError });

library.page("/you/library", showLibrary);
library.page("/you/history", showHistory);
library.page("/you/notifications", showNotifications);
