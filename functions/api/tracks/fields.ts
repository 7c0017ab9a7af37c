import * as z from "zod";
import { isCountry } from "../../lib/text/countries.ts";
import { about, documentedAs, flag, isWebAddress, label, text } from "../../lib/text/fields.ts";
import { sanitizeHtml } from "../../lib/text/html.ts";
import { rfc3339Text } from "../../lib/text/instant.ts";
import { Artists } from "./artists.ts";
import { parseTags, writeTags } from "./tags.ts";
import { EmbeddableBy, License, Paywall, Sharing, TrackType } from "./vocabulary.ts";

/** Characters of HTML, in the request and stored. Escaping may lengthen it. */
const MAX_DESCRIPTION = 20_000;
const MAX_STORED_DESCRIPTION = 40_000;

const MAX_TAG_LIST = 2_000;
export const MAX_TAGS = 100;

/** JSON's null and a form's empty value clear the field. */
const clearable = <Schema extends z.ZodType>(schema: Schema, error: string) =>
  z.union([z.literal("").transform(() => null), z.null(), schema], error).optional();

/** The union's own error would not list the values. */
export const clearableOneOf = <Schema extends z.ZodEnum>(schema: Schema) =>
  clearable(schema, `must be one of ${schema.options.join(", ")}, or empty`);

const clearableText = (max: number) =>
  label(max)
    .transform((value) => value || null)
    .nullish();

/** ISO 3901: country, registrant, year and number. */
const ISRC = /^[a-z]{2}[a-z0-9]{3}\d{7}$/i;

/** A code of a standard form. Hyphens and spaces may part it; it is kept as it was sent. */
export const clearableCode = (form: RegExp, error: string) =>
  label(50)
    .refine((value) => value === "" || form.test(value.replace(/[\s-]/g, "")), error)
    .transform((value) => value || null)
    .nullish();

/** A number as in JSON, or as text in forms. */
const number = (schema: z.ZodNumber) =>
  z.union([
    schema,
    z
      .string()
      .regex(/^[0-9]{1,16}(?:\.[0-9]{1,6})?$/)
      .transform(Number)
      .pipe(schema),
  ]);

const wholeNumber = (min: number, max: number) =>
  clearable(
    number(z.int().min(min, `must be from ${min} to ${max}`).max(max, `must be from ${min} to ${max}`)),
    "must be a whole number",
  );

const Url = clearable(text(2_000).refine(isWebAddress, "must be an http or https address"), "must be text");

const Description = text(MAX_DESCRIPTION)
  .transform(sanitizeHtml)
  .refine(({ length }) => length <= MAX_STORED_DESCRIPTION, "is too long once it is escaped")
  .transform((html) => html || null)
  .meta({ example: "Recorded in one take." });

const TagList = label(MAX_TAG_LIST)
  .transform(parseTags)
  .refine(({ length }) => length <= MAX_TAGS, `may hold ${MAX_TAGS} tags at most`)
  .transform(writeTags)
  .meta({ example: 'ambient "night drive"' });

const noDate = "must be a date, yyyy-mm-dd, in the years 1 to 9999";

const ReleaseDate = z.iso.date({ error: noDate, abort: true }).refine((date) => date >= "0001", noDate);

const COUNTRIES = "must hold two-letter country codes (ISO 3166-1), such as GB, FR";

const Countries = z
  .union([z.array(z.string()), z.string().transform((list) => list.split(/[\s,]+/).filter(Boolean))])
  .transform((codes) => [...new Set(codes.map((code) => code.toUpperCase()))])
  .superRefine((codes, ctx) => {
    const unknown = codes.find((code) => !isCountry(code));
    if (unknown === undefined && codes.length) return;
    const isNamed = unknown !== undefined && /^[A-Z]{2,20}$/.test(unknown);
    ctx.addIssue({ code: "custom", message: isNamed ? `${COUNTRIES}; ${unknown} is none` : COUNTRIES });
  });

/** Days. */
const MOST_AHEAD = 730;

const PUBLISH_AT = about(
  "Time at which it becomes public, as RFC 3339; it is private until then, whatever `sharing` says beside it. " +
    `At most ${MOST_AHEAD} days ahead. Null or empty clears the time. So does \`sharing: public\` alone, which publishes at once.`,
  null,
);

const aheadMs = (at: string) => Date.parse(at) - Date.now();

/** The database checks that a changed time is ahead, because one that is unchanged may have passed. */
const PublishAt = clearable(
  rfc3339Text.meta(documentedAs({ type: "string", format: "date-time" })),
  "must be a time as RFC 3339, such as 2026-12-24T18:00:00Z, or empty",
)
  .refine((at) => !at || aheadMs(at) <= MOST_AHEAD * 86_400_000, `must be within ${MOST_AHEAD} days`)
  .meta(PUBLISH_AT);

/** A time of publication for something new. */
export const NewPublishAt = PublishAt.refine(
  (at) => !at || aheadMs(at) > 0,
  "has passed; leave it out to publish at once",
).meta(PUBLISH_AT);

/** At least one visible character. */
export const Title = label(255)
  .regex(/[^\p{Z}\p{C}]/u, "must not be empty")
  .meta(about("At least one visible character.", "Night Train"));

export const Artist = clearableText(255);

/** All fields that owners may write, in JSON, forms and multipart bodies. Omitted fields stay unchanged. */
export const trackFields = {
  sharing: Sharing.optional(),
  publish_at: PublishAt,
  embeddable_by: EmbeddableBy.optional(),
  streamable: flag.optional().meta(about("Whether others may stream it. To others: whether they can.", true)),
  downloadable: flag.optional().meta(about("Whether the owner lets others download the original.", true)),
  commentable: flag.optional().meta(about("Whether listeners may comment.", true)),
  reveal_comments: flag
    .optional()
    .meta(about("`false` hides other users' comments and their count from everybody but you.", true)),
  reveal_stats: flag
    .optional()
    .meta(about("`false` hides counts, likers and reposters from everybody but you.", true)),
  paywall: clearableOneOf(Paywall).meta(about("Limit for listeners without a paid plan.", null)),
  available_country_codes: clearable(Countries, "must be a list").meta(
    about(
      "ISO 3166-1 alpha-2, as a list or comma-separated; null means everywhere. A server that does not learn where its listeners are blocks the track for all but you.",
      ["DE", "FR"],
    ),
  ),
  description: Description.nullish().describe("HTML. Tags that are not allowed are dropped."),
  artists: Artists,
  genre: clearableText(100).meta(about("Null if the owner gave none.", "Ambient")),
  tag_list: TagList.nullish().describe(
    'Separated by blanks; quotes around what holds some: `rock "hip hop" geo:lat=52.5`.',
  ),
  track_type: clearableOneOf(TrackType).meta(about("Kind of recording; null if none was given.", "original")),
  license: License.optional(),
  label_id: clearable(number(z.int("must be an id").min(1, "must be an id")), "must be an id").meta(
    about("Id of the label's user.", 338914811904777),
  ),
  label_name: clearableText(255).meta(about("Label, as text. Null if the owner gave none.", "Night Shift")),
  release: clearable(
    z.union([text(100), z.number().transform(String)]).meta(documentedAs({ type: "string", maxLength: 100 })),
    "must be text",
  ).meta(about("Catalogue number. Null if the owner gave none.", "NS-014")),
  release_day: wholeNumber(1, 31).meta(about("Day of the release; null if unknown.", 20)),
  release_month: wholeNumber(1, 12).meta(about("Month of the release, 1 to 12; null if unknown.", 11)),
  release_year: wholeNumber(1, 9999).meta(about("Year of the release; null if unknown.", 2026)),
  release_date: clearable(ReleaseDate, noDate).meta(
    about("Sets year, month and day of the release.", "2026-11-20"),
  ),
  isrc: clearableCode(
    ISRC,
    "must be an ISRC: two letters, three letters or digits, and seven digits, such as DE-A12-34-56789",
  ).meta(about("International recording code. Null if the owner gave none.", "DEA123456789")),
  bpm: clearable(
    number(z.number().min(0.01, "must be 0.01 at least").max(1_000, "must be 1000 at most")),
    "must be a number",
  ).meta(about("Rounded to two decimals.", 120.5)),
  key_signature: clearableText(50).meta(about("Null if the owner gave none.", "F# minor")),
  purchase_url: Url.meta(
    about("Address for buying. Null if the owner gave none.", "https://shop.example/night-train"),
  ),
  purchase_title: clearableText(255).meta(
    about("Label of the link for buying. Null if the owner gave none.", "Buy on vinyl"),
  ),
  video_url: Url.meta(
    about("Address of a video. Null if the owner gave none.", "https://video.example/night-train"),
  ),
};
