import type { Incident, StatusHistory } from "../../../../db/queries/status-history.ts";
import type { PartCondition } from "../../../api/health/condition.ts";
import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { escapeXml } from "../../../lib/text/xml.ts";
import { siteName } from "../../../ui/name.ts";
import { daysOf } from "./days.ts";
import { stateOf, timesOf } from "./history.tsx";

/** The page for programs. Days are seconds by condition; what is missing was not measured. */
export const statusObject = (parts: PartCondition[], history: StatusHistory | undefined) => ({
  as_of: new Date().toISOString(),
  parts: parts.map(({ part, condition, waitS }) => ({
    part,
    condition,
    oldest_waits_seconds: Math.round(waitS),
    days: history
      ? daysOf(part, history.days, Date.now()).map(({ day, condition: worst, measured, late, fails }) => ({
          day,
          condition: worst,
          measured_seconds: measured,
          late_seconds: late,
          failing_seconds: fails,
        }))
      : null,
  })),
  incidents: history?.incidents ?? null,
});

/** Incidents in Atom (RFC 4287). An update changes its incident's entry. */
export function statusFeed(env: Env, incidents: readonly Incident[]): string {
  const page = webUrl(env, "/status");
  const entries = incidents
    .map((incident) => ({ incident, updated: incident.updates[0]?.at ?? incident.begins_at }))
    .sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated))
    .map(({ incident, updated }) => {
      const address = escapeXml(`${page}#incident-${incident.id}`);
      const texts = incident.updates.map(({ text }) => `<p>${escapeXml(text)}</p>`).join("");
      const content = `<p>${escapeXml(`${stateOf(incident)}: ${timesOf(incident)}`)}</p>${texts}`;
      return `<entry><title>${escapeXml(incident.title)}</title><id>${address}</id><updated>${new Date(updated).toISOString()}</updated><link href="${address}"/><content type="html">${escapeXml(content)}</content></entry>`;
    });
  const newest = incidents.flatMap(({ updates: [last] }) => (last ? [Date.parse(last.at)] : []));
  // A feed needs a time, also before anything has happened.
  const updated = new Date(newest.length ? Math.max(...newest) : 0).toISOString();
  const title = `${siteName(env)}: status`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${escapeXml(title)}</title><id>${escapeXml(page)}</id><updated>${updated}</updated><author><name>${escapeXml(siteName(env))}</name></author><link href="${escapeXml(page)}"/><link rel="self" href="${escapeXml(`${page}.xml`)}"/>${entries.join("")}</feed>
`;
}
