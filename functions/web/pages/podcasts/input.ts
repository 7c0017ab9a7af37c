import * as z from "zod";
import {
  Category,
  EpisodeType,
  ForeignUrl,
  Guid,
  Language,
  MAX_NAME,
  MAX_NUMBER,
  OwnerEmail,
  PodcastType,
} from "../../../api/podcasts/fields.ts";
import { line } from "../../../api/users/account-input.ts";
import type { FormState } from "../../../ui/form.tsx";

/** Converts an empty field to null. */
const orNull = (text: string): string | null => text || null;

const Name = line(MAX_NAME).transform(orNull).default(null);

const Flag = z.enum(["yes", "no"], "is neither yes nor no").transform((word) => word === "yes");

export const PodcastInput = z.object({
  author: Name,
  owner_name: Name,
  owner_email: z
    .union([z.literal(""), OwnerEmail])
    .transform(orNull)
    .default(null),
  category: Category,
  language: Language,
  explicit: Flag,
  podcast_type: PodcastType,
  locked: Flag.default(true),
  new_feed_url: z
    .union([z.literal(""), ForeignUrl])
    .transform(orNull)
    .default(null),
  guid: z
    .union([z.literal(""), Guid])
    .transform(orNull)
    .default(null),
});

const Count = z
  .string()
  .trim()
  .regex(/^\d{0,4}$/, `is no number from 1 to ${MAX_NUMBER}`)
  .transform((digits) => Number(digits) || null)
  .default(null);

export const EpisodeInput = z.object({
  explicit: z
    .enum(["", "yes", "no"], "is unknown")
    .transform((word) => (word === "" ? null : word === "yes")),
  season: Count,
  number: Count,
  episode_type: z.union([z.literal("").transform(() => null), EpisodeType], "is unknown").default(null),
  transcript_url: z
    .union([z.literal(""), ForeignUrl])
    .transform(orNull)
    .default(null),
});

/** Problems by field. */
export const problemsOf = ({ issues }: z.ZodError): FormState["problems"] =>
  Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
