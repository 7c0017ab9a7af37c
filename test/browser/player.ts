import type { Page } from "playwright-core";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import type { Person } from "../support/people.ts";
import { finishedTrack } from "./finished-track.ts";

/** The bar at the foot of the page. */
export const bar = (page: Page) => page.getByRole("region", { name: "Player" });

export const barButton = (page: Page, name: string) => bar(page).getByRole("button", { name, exact: true });

export const titleInBar = (page: Page) => bar(page).locator(".deck-title").textContent();

/** Titles of the queue, as the page notes it for a reload. */
export const queued = (page: Page) =>
  page.evaluate<string[]>("JSON.parse(sessionStorage.getItem('player')).entries.map(({ title }) => title)");

/** Opens the player over the whole window. */
export async function openFull(page: Page) {
  await barButton(page, "Open the player").click();
  const full = page.getByRole("dialog", { name: "Now playing" });
  await full.waitFor();
  return full;
}

/** The button of a track in a list. */
export const playIn = (page: Page, title: string) =>
  page.getByRole("main").getByRole("button", { name: `Play ${title}`, exact: true });

/** A set of tracks with these titles. */
export async function createSet(owner: Person, titles: string[], fields: Record<string, unknown> = {}) {
  const tracks: Track[] = [];
  for (const title of titles) tracks.push(await finishedTrack(owner, { title, ...fields }));
  const json = { playlist: { title: "A set", ...fields, tracks: tracks.map(({ id }) => ({ id })) } };
  const set = (await api.as(owner).post<Playlist>("/playlists", { json })).body;
  return { set, tracks };
}
