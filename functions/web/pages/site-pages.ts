import type { Routes } from "../../lib/http/route.ts";
import { acts } from "./acts/acts.ts";
import { downloads } from "./acts/download.ts";
import { logPage } from "./admin/act-log.tsx";
import { appPages } from "./admin/apps.tsx";
import { deadLetterPages } from "./admin/dead-letters.tsx";
import { deliveryPages } from "./admin/deliveries.tsx";
import { incidentPages } from "./admin/incidents.tsx";
import { invitationPages } from "./admin/invitations.tsx";
import { jobPages } from "./admin/jobs.tsx";
import { mailPages } from "./admin/mails.tsx";
import { overduePage } from "./admin/overdue.tsx";
import { overview } from "./admin/overview.tsx";
import { postPages } from "./admin/posts.tsx";
import { quotaPage } from "./admin/quotas.tsx";
import { recentPage } from "./admin/recent.tsx";
import { removalPages } from "./admin/removals.tsx";
import { reportPages } from "./admin/reports.tsx";
import { secondFactor } from "./admin/second-factor.tsx";
import { trackPages } from "./admin/tracks.tsx";
import { userPages } from "./admin/users.tsx";
import { discovery } from "./discovery/routes.ts";
import { insightPages } from "./insights/routes.tsx";
import { library } from "./library/routes.ts";
import { offline } from "./machines/offline.tsx";
import { machines } from "./machines/routes.ts";
import { addToSet } from "./own/add-to-set.tsx";
import { addresses } from "./own/address.tsx";
import { deletions } from "./own/delete.tsx";
import { editSet } from "./own/edit-set.tsx";
import { editTrack } from "./own/edit-track.tsx";
import { queueSet } from "./own/queue-set.ts";
import { selectedTracks } from "./own/selected.tsx";
import { selectedForSet } from "./own/selected-set.tsx";
import { setOrder } from "./own/set-order.tsx";
import { ownSets } from "./own/sets.tsx";
import { supersede } from "./own/supersede.tsx";
import { ownTracks } from "./own/tracks.tsx";
import { commentForms, pages } from "./permalinks/routes.tsx";
import { setQueue } from "./permalinks/set-queue.ts";
import { sources } from "./permalinks/sources.ts";
import { movePages } from "./podcasts/move.tsx";
import { feeds } from "./podcasts/routes-feeds.ts";
import { feedFiles } from "./podcasts/routes-files.ts";
import { podcastForms } from "./podcasts/routes-settings.tsx";
import { profilePages } from "./profile/routes.ts";
import { statusPage } from "./status/page.tsx";
import { texts } from "./texts/routes.tsx";
import { uploadPage } from "./upload/page.tsx";
import { webhookPages } from "./webhooks/routes.ts";

/** {web_url}. Pages whose paths may be a user's permalink come last. */
export const sitePages: Routes[] = [
  uploadPage,
  acts,
  discovery,
  library,
  webhookPages,
  movePages,
  profilePages,
  sources,
  setQueue,
  overview,
  secondFactor,
  jobPages,
  deadLetterPages,
  overduePage,
  deliveryPages,
  mailPages,
  reportPages,
  recentPage,
  removalPages,
  postPages,
  userPages,
  incidentPages,
  invitationPages,
  quotaPage,
  trackPages,
  appPages,
  logPage,
  ownTracks,
  ownSets,
  insightPages,
  addToSet,
  setOrder,
  queueSet,
  selectedTracks,
  selectedForSet,
  deletions,
  addresses,
  supersede,
  editTrack,
  editSet,
  downloads,
  feeds,
  feedFiles,
  machines,
  offline,
  texts,
  statusPage,
  podcastForms,
  pages,
  commentForms,
];
