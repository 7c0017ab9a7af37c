import * as z from "zod";
import { countNews, markNewsSeen } from "../../../../db/queries/news.ts";
import { badRequest } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { plainIdText } from "../../../lib/text/fields.ts";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { asReader } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSiteError } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import { sendAnswer } from "./answer.ts";
import { showCredits } from "./credits-page.tsx";
import { endMails, showEndOfMails } from "./end-mails.tsx";
import { showHistory } from "./history.tsx";
import { showLibrary } from "./library.tsx";
import { saveNewsMails, showNewsMails } from "./news-mails-page.tsx";
import { SEEN, showNotifications } from "./notifications.tsx";
import { showOwnRemoval, showOwnRemovals } from "./removals.tsx";

/** {web_url}: the reader's collection, history and notifications. */
export const library = new Routes({ renderError: showSiteError });

library.page("/you/library", showLibrary);
library.page("/you/history", showHistory);
library.page("/you/notifications", showNotifications);
library.page("/you/credits", showCredits);

/** Read by the script of the bell. A visitor, or a session that has ended, has no news. */
library.page("/you/notifications/count", async (c) => {
  c.header("Cache-Control", "private, no-store");
  if (!siteViewer(c)) return c.json({ unseen: 0 });
  return c.json({ unseen: await asReader(c, (viewer) => countNews(c.var.db, viewer)) });
});

const Until = z.object({ until: plainIdText });

library.form("/you/notifications/seen", async (c) => {
  const { data } = Until.safeParse(await readOwnForm(c, SEEN));
  if (!data) return badRequest("until: must be the id of the newest event that was shown");
  await asReader(c, (viewer) => markNewsSeen(c.var.db, viewer, data.until));
  return seeOther(c, "/you/notifications");
});

library.page("/you/removals", showOwnRemovals);
library.page("/you/removals/:id", (c) => showOwnRemoval(c));
library.form("/you/removals/:id", sendAnswer);

library.page("/you/notifications/mails", (c) => showNewsMails(c));
library.form("/you/notifications/mails", saveNewsMails);

library.page("/you/notifications/mails/end/:link", showEndOfMails);
library.form("/you/notifications/mails/end/:link", endMails);
