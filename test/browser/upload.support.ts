import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ffmpeg } from "../support/ffmpeg.ts";
import type { Person } from "../support/people.ts";
import { siteCookieOf } from "../support/site-session.ts";
import { makeSources } from "../support/sources.ts";
import { stack } from "../support/stack.ts";
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

/** Two seconds of MP3 whose tags name everything, with a front cover. */
export async function taggedFile(
  name: string,
  title: string,
  more: Record<string, string> = {},
): Promise<string> {
  const path = join(folder, name);
  const { taggedMp3 } = await makeSources();
  const words = { title, artist: "The Taggers", genre: "Folk", date: "2019", publisher: "Tag Records" };
  const facts = { TSRC: "GBTAG1900001", TBPM: "124", TKEY: "Am" };
  const tags = Object.entries({ ...words, ...facts, ...more }).flatMap(([tag, value]) => [
    "-metadata",
    `${tag}=${value}`,
  ]);
  execFileSync(ffmpeg.path, [
    "-v",
    "error",
    "-i",
    taggedMp3.path,
    "-map",
    "0",
    "-c",
    "copy",
    "-id3v2_version",
    "3",
    ...tags,
    "-y",
    path,
  ]);
  return path;
}

/** A WAVE of silence with the tags and the cover of `taggedFile`. It takes no room on the disk, and few seconds to encode. */
export async function largeFile(name: string, title: string, bytes: number): Promise<string> {
  const mp3 = readFileSync(await taggedFile(`${name}.mp3`, title));
  // Four bytes of seven bits each. id3.org/id3v2.3.0 §3.1
  const tags = mp3.subarray(0, 10 + mp3.subarray(6, 10).reduce((size, seven) => size * 128 + seven, 0));
  const chunk = (id: string, size: number) => {
    const head = Buffer.alloc(8, id);
    head.writeUInt32LE(size, 4);
    return head;
  };
  const format = Buffer.alloc(16);
  const [channels, rate, sampleBytes] = [8, 192_000, 4];
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * channels * sampleBytes, 8);
  format.writeUInt16LE(channels * sampleBytes, 12);
  format.writeUInt16LE(8 * sampleBytes, 14);
  const padded = Buffer.concat([tags, Buffer.alloc(tags.length % 2)]);
  const before = Buffer.concat([chunk("fmt ", 16), format, chunk("id3 ", tags.length), padded]);
  const path = join(folder, name);
  const riff = Buffer.concat([chunk("RIFF", bytes - 8), Buffer.from("WAVE"), before]);
  writeFileSync(path, Buffer.concat([riff, chunk("data", bytes - riff.length - 8)]));
  truncateSync(path, bytes);
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

/** Drops files of the disk at once. A field of the test's own gets them into the page. `before` runs ahead of the drop. */
export async function drop(page: Page, paths: string[], before = () => {}): Promise<void> {
  await page.evaluate(`{
    const field = document.createElement("input");
    Object.assign(field, { type: "file", id: "dropped", multiple: true });
    document.body.append(field);
  }`);
  await page.locator("#dropped").setInputFiles(paths);
  // Chrome may note what the files are like only when they are first read.
  await page.evaluate(
    'Promise.all(Array.from(document.querySelector("#dropped").files, (file) => file.slice(0, 1).arrayBuffer()))',
  );
  before();
  await page.evaluate(`{
    const field = document.querySelector("#dropped");
    const dataTransfer = new DataTransfer();
    for (const file of field.files) dataTransfer.items.add(file);
    field.remove();
    for (const type of ["dragover", "drop"])
      document.querySelector("h1").dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);
}

export const cardOf = (page: Page, name: string | RegExp) =>
  page.locator(".upload").filter({ has: page.getByRole("heading", { name, exact: true }) });
