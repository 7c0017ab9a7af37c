import { beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { NewAppBody } from "../../functions/api/apps/input.ts";
import { CommentChangesBody, NewCommentBody } from "../../functions/api/comments/input.ts";
import { ConnectionChangesBody, NewConnectionBody } from "../../functions/api/connections/input.ts";
import { ConfirmationBody, NewImportBody } from "../../functions/api/imports/input.ts";
import {
  type ApiDocument,
  operationsIn,
  parametersOf,
  type Schema,
} from "../../functions/api/openapi/schema.ts";
import {
  NewPlaylistBody,
  PlaylistChangesBody,
  PlaylistTracksBody,
} from "../../functions/api/playlists/input.ts";
import { NewReleaseBody } from "../../functions/api/playlists/release-input.ts";
import { ChapterPictureBody, ChaptersBody } from "../../functions/api/podcasts/chapter-input.ts";
import { EpisodeChangesBody, PodcastChangesBody } from "../../functions/api/podcasts/input.ts";
import { TranscriptBody } from "../../functions/api/podcasts/transcript-input.ts";
import { BulkChangesBody } from "../../functions/api/tracks/bulk-input.ts";
import { TrackFilters } from "../../functions/api/tracks/filters.ts";
import {
  NewTrackBody,
  SharesBody,
  SupersedingBody,
  TrackChangesBody,
} from "../../functions/api/tracks/input.ts";
import { CompletedParts, NewUpload, PartNumbers } from "../../functions/api/uploads/input.ts";
import { MeBody } from "../../functions/api/users/input.ts";
import {
  PlaylistPermalinkBody,
  TrackPermalinkBody,
  UserPermalinkBody,
} from "../../functions/api/users/permalinks.ts";
import { NewWebhookBody, WebhookChangesBody } from "../../functions/api/webhooks/input.ts";
import { serviceDocument } from "../../workers/build/api-document.ts";

const BODIES: z.ZodType[] = [
  NewTrackBody,
  TrackChangesBody,
  SharesBody,
  NewCommentBody,
  CommentChangesBody,
  NewPlaylistBody,
  NewReleaseBody,
  BulkChangesBody,
  PlaylistChangesBody,
  PlaylistTracksBody,
  PodcastChangesBody,
  NewImportBody,
  ConfirmationBody,
  EpisodeChangesBody,
  TranscriptBody,
  ChaptersBody,
  ChapterPictureBody,
  NewConnectionBody,
  ConnectionChangesBody,
  NewWebhookBody,
  WebhookChangesBody,
  NewAppBody,
  MeBody,
  UserPermalinkBody,
  TrackPermalinkBody,
  PlaylistPermalinkBody,
  SupersedingBody,
  NewUpload,
  PartNumbers,
  CompletedParts,
];

/** Bodies of Uppy's calls, which it sends by its own rules. */
const COMPANION = /^Companion/;

let document: ApiDocument;

beforeAll(async () => {
  document = await serviceDocument<ApiDocument>();
});

const nameOf = (body: z.ZodType): string => String(body.meta()?.id);

interface Field {
  /** Names and indexes that lead from the body to the field. */
  path: (string | number)[];
  schema: Schema;
}

/** The fields of a body, those of a list's first item included. */
function fieldsIn(schema: Schema, path: Field["path"] = []): Field[] {
  const inner = schema.items ? fieldsIn(schema.items, [...path, 0]) : [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { path: [...path, name], schema: field },
    ...fieldsIn(field, [...path, name]),
  ]);
  return [...own, ...inner];
}

/** A copy of the body's example with another value in one field. */
function exampleWith(name: string, { path }: Field, value: unknown): unknown {
  const copy = structuredClone(document.components.examples?.[name]?.value);
  const parent = path.slice(0, -1).reduce((inner, key) => Object(inner)[key], copy as unknown);
  Object(parent)[path.at(-1) ?? ""] = value;
  return copy;
}

/** Whether the service refuses the field itself. */
function refuses(body: z.ZodType, field: Field, value: unknown): boolean {
  const parsed = body.safeParse(exampleWith(nameOf(body), field, value));
  return !parsed.success && parsed.error.issues.some(({ path }) => path.join() === field.path.join());
}

const fieldsOf = (body: z.ZodType) => fieldsIn(document.components.schemas[nameOf(body)] ?? {});

const placeOf = (body: z.ZodType, { path }: Field) => `${nameOf(body)}.${path.join(".")}`;

const typesOf = ({ type }: Schema) => [type ?? []].flat();

test("every JSON body of the document is checked here", () => {
  const named = operationsIn(document).flatMap(
    ({ requestBody }) => requestBody?.content["application/json"]?.schema?.$ref?.split("/").at(-1) ?? [],
  );
  const own = [...new Set(named)].filter((name) => !COMPANION.test(name) && !/Event$/.test(name));
  expect(own.sort()).toEqual(BODIES.map(nameOf).sort());
});

test("the service takes the example of each body", () => {
  for (const body of BODIES) {
    const { error } = body.safeParse(document.components.examples?.[nameOf(body)]?.value);
    expect([nameOf(body), error?.issues]).toEqual([nameOf(body), undefined]);
  }
});

test("a field may be null exactly where the document says so", () => {
  const wrong = BODIES.flatMap((body) =>
    fieldsOf(body)
      .filter((field) => refuses(body, field, null) === typesOf(field.schema).includes("null"))
      .map((field) => placeOf(body, field)),
  );
  expect(wrong).toEqual([]);
});

test("the document has every limit of length", () => {
  const isFree = ({ enum: values, format, pattern, maxLength }: Schema) =>
    [values, format, pattern, maxLength].every((given) => given === undefined);
  const limited = BODIES.flatMap((body) =>
    fieldsOf(body)
      .filter(({ schema }) => typesOf(schema).includes("string") && isFree(schema))
      .filter((field) => !refuses(body, field, "aa") && refuses(body, field, "a".repeat(100_000)))
      .map((field) => placeOf(body, field)),
  );
  expect(limited).toEqual([]);
});

test("the longest text is as long as the document says", () => {
  const wrong = BODIES.flatMap((body) =>
    fieldsOf(body).flatMap((field) => {
      const { maxLength, format } = field.schema;
      if (maxLength === undefined || format === "binary") return [];
      return refuses(body, field, "a".repeat(maxLength + 1)) ? [] : placeOf(body, field);
    }),
  );
  expect(wrong).toEqual([]);
});

/** The handler refuses these, each with a status and a text of its own. */
const REFUSED_LATER = new Set(["NewUpload.size"]);

test("numbers beyond the document's bounds are refused", () => {
  const wrong = BODIES.flatMap((body) =>
    fieldsOf(body).flatMap((field) => {
      const { minimum, maximum } = field.schema;
      const beyond = [
        minimum === undefined ? [] : minimum - 1,
        maximum === undefined ? [] : maximum + 1,
      ].flat();
      return beyond
        .filter((value) => !refuses(body, field, value) && !REFUSED_LATER.has(placeOf(body, field)))
        .map((value) => `${placeOf(body, field)}: ${value}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test("the words of filter, alone and together, are among the document's values", () => {
  const words = ["all", "public", "private", "streamable", "downloadable"];
  const sets = Array.from({ length: 2 ** words.length }, (_, bits) =>
    words.filter((_, place) => bits & (2 ** place)),
  );
  const taken = sets.filter((set) => TrackFilters.shape.filter.safeParse(set.join()).success);
  const parameters = parametersOf(document.paths?.["/tracks"]?.get ?? {}, document);
  const listed = parameters.find(({ name }) => name === "filter")?.schema?.enum ?? [];
  const sorted = (lists: string[][]) => lists.map((set) => set.toSorted().join()).toSorted();
  expect(sorted(listed.map((value) => String(value).split(",")))).toEqual(sorted(taken));
});
