import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let label: Person;
let browser: ThreeHostsBrowser;
let id: number;
let path: string;

beforeAll(async () => {
  [ana, label] = await Promise.all([createUser(), createUser()]);
  browser = await service.open().enterSite(ana.id);
  ({ id } = await createTrack(ana, { permalink: "labelled" }));
  path = `/${ana.username}/labelled/edit`;
});

const labelIdOf = async () => (await api.as(ana).get<Track>(`/tracks/${id}`)).body.label_id;
const fields = async () => fieldsIn((await browser.get("web", path)).html, path);
const save = async (changes: Record<string, string>) =>
  browser.postParts("web", path, { ...(await fields()), ...changes });

const problemOf = (html: string, field: string) =>
  new RegExp(`id="edit-${field}-problem"><span class="sr-only">Error: </span>([^<]*)`).exec(html)?.[1];

test("a label is named by its profile's address, its username or its id, and shown by the address", async () => {
  const [name, permalink] = [`Müller & Söhne ${label.username}`, `muller-sohne-${label.username}`];
  await sql("update users set username = $2, permalink = $3 where id = $1", [label.id, name, permalink]);
  const host = `web.localhost:${service.port}`;
  const address = `http://${host}/${permalink}`;
  const ways = [
    address,
    `${host}/${permalink.toUpperCase()}/?from=x`,
    `@${permalink}`,
    ` ${name} `,
    `http://api.localhost:${service.port}/users/${label.id}`,
    String(label.id),
  ];
  for (const label_id of ways) {
    expect((await save({ label_id })).status, label_id).toBe(303);
    expect(await labelIdOf(), label_id).toBe(label.id);
    expect((await fields()).label_id).toBe(address);
    await save({ label_id: "" });
    expect(await labelIdOf()).toBeNull();
  }
});

test("422 beside the field, with all other problems: what names nobody", async () => {
  const refused = "Record label&#39;s account must be the address of a profile here, or its username";
  const page = `http://web.localhost:${service.port}${path.replace("/edit", "")}`;
  for (const label_id of [page, "https://elsewhere.example/ana", "nobody-at-all", "12", "9".repeat(15)]) {
    const { status, html } = await save({ label_id });
    expect([status, problemOf(html, "label_id")], label_id).toEqual([422, refused]);
    expect(fieldsIn(html, path).label_id).toBe(label_id);
  }
  const { html } = await save({ label_id: "nobody-at-all", bpm: "fast" });
  expect([problemOf(html, "label_id"), problemOf(html, "bpm")]).toEqual([refused, expect.any(String)]);
  expect(await labelIdOf()).toBeNull();
});

test("a suspended label stays, and is shown by its id", async () => {
  const gone = await createUser();
  await save({ label_id: gone.username });
  await operate("user suspend", "--user", gone.username, "--reason", "Spam");
  expect((await fields()).label_id).toBe(String(gone.id));
  expect((await save({ genre: "Jazz" })).status).toBe(303);
  expect(await labelIdOf()).toBe(gone.id);
});
