import * as z from "zod";
import type { FormState } from "../../site/form.tsx";
import { line } from "../../users/account-input.ts";
import { CATEGORIES } from "./categories.ts";

const MAX_NAME = 100;

/** An empty field is none. */
const orNull = (text: string): string | null => text || null;

const Name = line(MAX_NAME).transform(orNull).default(null);

const Flag = z.enum(["yes", "no"], "is neither yes nor no").transform((word) => word === "yes");

export const PodcastInput = z.object({
  author: Name,
  owner_name: Name,
  owner_email: z
    .union([z.literal(""), z.email("is no e-mail address")])
    .transform(orNull)
    .default(null),
  category: z.enum(CATEGORIES, "is unknown"),
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, "is no language code, such as `en` or `pt-BR`"),
  explicit: Flag,
  podcast_type: z.enum(["episodic", "serial"], "is unknown"),
});

/** Characters. A feed holds hundreds of them. */
const MAX_URL = 2_000;
const TOO_LONG = `may have ${MAX_URL} characters at most`;

const MAX_NUMBER = 9_999;

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
  transcript_url: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https?$/, error: "is no web address" }).max(MAX_URL, TOO_LONG),
    ])
    .transform(orNull)
    .default(null),
});

/** Problems by field. */
export const problemsOf = ({ issues }: z.ZodError): FormState["problems"] =>
  Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
