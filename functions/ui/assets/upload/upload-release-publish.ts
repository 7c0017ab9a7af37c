import { entered } from "../time-zone.ts";
import { callApi, problemOf } from "./upload-api.ts";
import type { Item } from "./upload-item.ts";
import { isUnder } from "./upload-list.ts";
import { tell } from "./upload-news.ts";
import { notePublished, type Release } from "./upload-release.ts";
import type { Playlist } from "./upload-replies.ts";
import { saveTrack } from "./upload-track.ts";

/** Publishes a release in one request, once each of its files is a track. The tracks may still be encoding. */

/** The API's word for each kind. */
const TYPES: Record<string, string> = { ep: "ep single", single: "ep single", album: "album" };

const isHindered = isUnder("failed", "unfit", "lost", "paused");

const titleOf = ({ values, name }: Item) => values.title.trim() || name;

/** A file that hinders the release, in words. */
function hindranceOf(members: Item[]): string | undefined {
  const item = members.find(isHindered);
  if (!item) return undefined;
  const why = {
    failed: `could not be encoded. ${item.problem ?? ""}`,
    unfit: "has a field that needs another look.",
    lost: "must be chosen again, because its upload was interrupted.",
    paused: "is paused.",
  }[item.phase as "failed" | "unfit" | "lost" | "paused"];
  return `“${titleOf(item)}” ${why.trim()} Leave it out below and publish without it, or put it right first.`;
}

/** Does the next step of a release whose button was pressed. Called whenever something has changed. */
export async function proceed(release: Release): Promise<void> {
  if (!release.isWanted || release.isBusy || release.published) return;
  const members = release.items;
  const hindrance = hindranceOf(members);
  if (hindrance) {
    release.stop(hindrance);
    return;
  }
  if (members.some(({ track }) => !track)) return;
  release.isBusy = true;
  tell();
  try {
    await saveAll(members);
    const form = formOf(release, members);
    const set = await callApi<Playlist>("POST", "/releases", { form, key: release.key });
    for (const item of members) noteTrack(item, set);
    notePublished(release, { title: set.title, url: set.permalink_url, publishAt: set.publish_at });
  } catch (error) {
    const problem = problemOf(error);
    release.problems = problemsIn(problem.causes);
    release.stop(problem.message);
  } finally {
    release.isBusy = false;
    tell();
  }
}

async function saveAll(members: Item[]): Promise<void> {
  for (const item of members) {
    if (!item.isSaved && item.track) await saveTrack(item, item.track.id);
    if (!item.isSaved) throw new Error(`“${titleOf(item)}” is not saved: a field needs another look.`);
  }
}

function noteTrack(item: Item, { sharing, publish_at }: Playlist): void {
  if (!item.track) return;
  item.track = { ...item.track, sharing, publish_at };
  item.values.sharing = sharing;
  // The card's form would end the wait when it is saved.
  item.values.publish_at = publish_at ? entered(new Date(publish_at)) : "";
  item.sharing = sharing;
}

function formOf({ values, artwork }: Release, members: Item[]): FormData {
  const form = new FormData();
  const set = (name: string, value: string | undefined) => value && form.set(`release[${name}]`, value);
  // An empty title is refused by name.
  form.set("release[title]", values.title ?? "");
  set("playlist_type", TYPES[values.type ?? ""]);
  for (const name of ["artist", "genre", "label_name", "license"]) set(name, values[name]?.trim());
  for (const [name, value] of Object.entries(dateIn(values.release_date ?? ""))) set(name, value);
  if (values.publish_at) set("publish_at", new Date(values.publish_at).toISOString());
  for (const { track } of members) form.append("release[tracks][][id]", String(track?.id));
  if (artwork) form.set("release[artwork_data]", artwork, artwork.name);
  return form;
}

/** `2026-11-20`, `2026-11` or `2026`. The API refuses by name what is none of them. */
function dateIn(written: string): Record<string, string> {
  const [, release_year, release_month, release_day] =
    /^(\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(written.trim()) ?? [];
  if (!release_year) return written.trim() ? { release_date: written.trim() } : {};
  return {
    release_year,
    ...(release_month && { release_month: String(Number(release_month)) }),
    ...(release_day && { release_day: String(Number(release_day)) }),
  };
}

/** The API's messages by the fields of the form. */
function problemsIn(causes: string[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const cause of causes) {
    const [, name = "", text = ""] = /^release\[(\w+)\]:? (.*)$/s.exec(cause) ?? [];
    if (name) problems[/^release_/.test(name) ? "release_date" : name] = text;
  }
  return problems;
}
