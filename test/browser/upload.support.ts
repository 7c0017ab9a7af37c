import { execFileSync } from "node:child_process";
import { mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findFfmpeg } from "../../workers/transcoder/ffmpeg.ts";
import type { Person } from "../support/people.ts";
import { siteCookieOf } from "../support/site-session.ts";
import { stack } from "../support/stack.ts";
import { sources } from "../support/tracks.ts";
import type { VisitOptions } from "./browser.ts";

const MIB = 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), "soundpost-uploading-"));

export const uploadUrl = () => `${stack.urls.api}/upload`;

/** Signs the visit in as the person. */
export async function signedIn({ id }: Person): Promise<VisitOptions> {
  const [name = "", value = ""] = (await siteCookieOf(id)).split("=");
  const cookie = { name, value, domain: "localhost", path: "/", expires: -1 };
  return {
    storageState: {
      cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: "Lax" }],
      origins: [],
    },
  };
}

/** An MP3 whose tags name everything, with a front cover. */
export async function taggedFile(name: string, title: string): Promise<string> {
  const path = join(folder, name);
  const { taggedMp3 } = await sources();
  const tags = { title, artist: "The Taggers", genre: "Folk", date: "2019" };
  const words = Object.entries(tags).flatMap(([tag, value]) => ["-metadata", `${tag}=${value}`]);
  const { path: ffmpeg } = await findFfmpeg();
  execFileSync(ffmpeg, [
    ...["-v", "error", "-i", taggedMp3.path, "-map", "0", "-c", "copy", "-id3v2_version", "3"],
    ...[...words, "-y", path],
  ]);
  return path;
}

/** No audio in truth, but named so. It takes no room on the disk. */
export function hollowFile(name: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, "hollow");
  truncateSync(path, bytes);
  return path;
}

/** Three parts, the last short. */
export const threeParts = (name: string): string => hollowFile(name, 33 * MIB);

export const choose = (page: Page, ...paths: string[]) => page.locator("#upload-files").setInputFiles(paths);

export const cardOf = (page: Page, name: string) =>
  page.locator(".upload").filter({ has: page.getByRole("heading", { name, exact: true }) });
