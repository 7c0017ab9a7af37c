import { expect, test } from "vitest";
import { createPng } from "../../support/images.ts";
import { sql } from "../../support/stack.ts";
import { openTrackForms, problemOf } from "./edit-track.support.ts";
import { fieldsIn } from "./three-hosts.ts";

const { browser, newTrack, edit, read } = await openTrackForms();

const picture = (content: string | Uint8Array<ArrayBuffer>) =>
  new File([content], "a.png", { type: "image/png" });

test("artwork is uploaded with the other fields, kept without a choice, and removed by its box", async () => {
  const { id, path } = await newTrack();
  const png = picture(new Uint8Array(await createPng()));
  expect((await edit(path, { title: "Covered", artwork_data: png })).status).toBe(303);
  const covered = await read(id);
  expect(covered.title).toBe("Covered");
  expect(covered.artwork_url).toContain("/images/");
  expect((await edit(path, { title: "Still covered" })).status).toBe(303);
  expect((await read(id)).artwork_url).toBe(covered.artwork_url);
  expect((await edit(path, { remove_artwork: "on" })).status).toBe(303);
  expect((await read(id)).artwork_url).toBeNull();
});

test.for([12, 40])(
  "artwork of %i MB is refused beside its field, and what was typed is saved",
  async (megabytes) => {
    const { id, path } = await newTrack();
    const large = picture(new Uint8Array(megabytes * 2 ** 20));
    const { status, html } = await edit(path, { artwork_data: large, genre: "Typed", description: "Long" });
    expect([status, problemOf(html, "artwork_data")]).toEqual([422, "Artwork may have 10 MB at most"]);
    expect(await read(id)).toMatchObject({ genre: "Typed", description: "Long", artwork_url: null });
  },
);

test("artwork of 40 MB is refused together with a field, and what was typed is shown again", async () => {
  const { path } = await newTrack();
  const large = picture(new Uint8Array(40 * 2 ** 20));
  const { status, html } = await edit(path, { artwork_data: large, title: "", genre: "Typed" });
  expect([status, problemOf(html, "title")]).toEqual([422, "Title must not be empty"]);
  expect(fieldsIn(html, path).genre).toBe("Typed");
});

test("artwork of a wrong kind is refused beside its field, and the other fields are saved", async () => {
  const { id, path } = await newTrack();
  const words = picture("words");
  const { status, html } = await edit(path, { title: "Saved", artwork_data: words });
  expect([status, problemOf(html, "artwork_data")]).toEqual([422, "Artwork is not a JPEG, PNG or GIF image"]);
  expect(await read(id)).toMatchObject({ title: "Saved", artwork_url: null });
  expect((await browser.postParts("web", path, fieldsIn(html, path))).status).toBe(303);
});

test("artwork of a wrong kind, after an encode has ended meanwhile: the form shows the fields that were saved", async () => {
  const { id, path } = await newTrack({ title: "First", state: "processing" });
  const { html: open } = await browser.get("web", path);
  await sql("update tracks set state = 'failed', updated_at = now() where id = $1", [id]);
  const typed = { ...fieldsIn(open, path), title: "Typed", artwork_data: picture("words") };
  const { html } = await browser.postParts("web", path, typed);
  expect(problemOf(html, "artwork_data")).toContain("is not a JPEG");
  expect(fieldsIn(html, path)).toMatchObject({ title: "Typed" });
  expect((await browser.postParts("web", path, fieldsIn(html, path))).status).toBe(303);
});
