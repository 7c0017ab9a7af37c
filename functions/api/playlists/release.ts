import type { Context } from "hono";
import { createRelease } from "../../../db/queries/releases.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { forbidden, invalid } from "../../lib/http/errors.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { storeArtworkField } from "../images/store.ts";
import { columnsOf } from "../tracks/columns.ts";
import { noSuchDate } from "../tracks/errors.ts";
import { newSecret } from "../tracks/secret.ts";
import { unwrap } from "./errors.ts";
import type { ReleaseFields } from "./release-input.ts";
import type { Playlist } from "./representation.ts";
import { permalinkOf, representWritten } from "./write.ts";

export async function publishRelease(c: Context<UserEnv>, release: ReleaseFields): Promise<Playlist> {
  const { artwork_data, tracks, artist, ...fields } = release;
  const artwork = await storeArtworkField(c, "release[artwork_data]", artwork_data);
  const written = await createRelease(
    c.var.db,
    c.var.viewer,
    {
      fields: columnsOf({ ...fields, ...artwork }),
      trackFields: trackColumns(release),
      permalink: await permalinkOf(fields.title),
      ...newSecret(c.env).stored,
      trackIds: tracks,
    },
    countryOf(c.req),
    budgetOf(c.env, "playlist-edits"),
  );
  if ("title" in written) return refuseTrack(written);
  if (written.outcome === "time_passed")
    return invalid("release[publish_at]: has passed; leave it out to publish at once");
  if (written.outcome === "no_such_date") return noSuchDate("release", fields);
  return representWritten(c.env, unwrap(settleBudget(c, "playlist-edits", written), fields));
}

/** A date replaces the whole stored one, because parts of both may be no date together. */
function trackColumns({ genre, license, label_name, release, artist, ...fields }: ReleaseFields) {
  const { release_day, release_month, release_year, release_date } = fields;
  const date = present(columnsOf({ release_day, release_month, release_year, release_date }));
  const isDated = Object.keys(date).length > 0;
  const noDate = { release_day: null, release_month: null, release_year: null };
  return present({ genre, license, label_name, release, artist, ...(isDated && { ...noDate, ...date }) });
}

const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

interface Refused {
  outcome: "unknown_track" | "taken_down" | "failed_track";
  title: string | null;
}

function refuseTrack({ outcome, title }: Refused): never {
  if (outcome === "taken_down")
    return forbidden(`release[tracks]: “${title}” was taken down, so it cannot be made public`, "taken-down");
  if (outcome === "failed_track")
    return invalid(
      `release[tracks]: encoding of “${title}” failed; leave it out, or retry it and wait until it is encoded`,
    );
  return invalid("release[tracks]: names a track that is not yours");
}
