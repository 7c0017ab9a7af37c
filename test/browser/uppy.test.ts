import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { complete, row, storedBytes, storedSize } from "../api/uploads/uploads.support.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { repeats } from "../support/repeats.ts";
import { launchBrowser } from "./browser.ts";
import { startForeignSite } from "./sign-in.ts";

const MB = 1_000_000;

const browser = launchBrowser();
const site = startForeignSite();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

/** Uppy as npm has it, and the one option that a page of somebody else sets. */
const VERSIONS = [
  { name: "Uppy 5", from: "uppy-5", option: "endpoint" },
  { name: "Uppy 6", from: ".", option: "companionEndpoint" },
];

function bundled(from: string): string {
  const contents = `
    import AwsS3 from "@uppy/aws-s3";
    import Uppy from "@uppy/core";
    Object.assign(window, { AwsS3, Uppy });`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: join(import.meta.dirname, from) },
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

const opened = async (size: number): Promise<Upload> => {
  const json = { filename: "song.wav", size, type: "audio/wav" };
  return (await api.as(ana).post<Upload>("/uploads", { json })).body;
};

/** Uploads `size` bytes, `1` at multiples of 4096, by Uppy. Returns the files that it says succeeded. */
const uploadBy = (page: Page, options: Record<string, string>, size: number) =>
  page.evaluate<number>(`(async () => {
    const bytes = new Uint8Array(${size});
    for (let at = 0; at < bytes.length; at += 4096) bytes[at] = 1;
    const uppy = new Uppy({ autoProceed: false }).use(AwsS3, ${JSON.stringify(options)});
    uppy.addFile({ name: "song.wav", type: "audio/wav", data: new Blob([bytes], { type: "audio/wav" }) });
    const { successful, failed } = await uppy.upload();
    for (const { error } of failed) console.error(error);
    return successful.length;
  })()`);

/** Megabytes. Uppy sends files above a hundred in parts. */
const SIZES = [2, 60, repeats(110, 200)];

describe.for(VERSIONS)("$name, unmodified, on another site", ({ from, option }) => {
  test.for(SIZES)("uploads %i MB with its defaults", async (megabytes) => {
    const size = megabytes * MB;
    const upload = await opened(size);
    const { page, complaints } = await browser.visit(site.address("/"));
    await page.addScriptTag({ content: bundled(from) });
    expect(await uploadBy(page, { [option]: upload.companion_url }, size)).toBe(1);
    expect(complaints).toEqual([]);
    const { key, status } = await row(upload);
    expect([status, await storedSize(key)]).toEqual(["ready", size]);
    if (megabytes === 2) {
      const bytes = await storedBytes(key);
      expect([
        bytes[0],
        bytes[1],
        bytes[4096 * 400],
        bytes.toString("latin1").split("\x01").length - 1,
      ]).toEqual([1, 0, 1, Math.ceil(size / 4096)]);
    }
    expect((await complete(ana, upload, [])).body.status).toBe("ready");
    const json = { track: { title: "By Uppy", upload_id: upload.id } };
    expect((await api.as(ana).post("/tracks", { json })).status).toBe(201);
  });
});
