import * as z from "zod";
import type { Profile } from "../../../db/queries/settings.ts";
import { isCountry } from "../../lib/text/countries.ts";
import { about, text } from "../../lib/text/fields.ts";
import { line, Username } from "./account-input.ts";

/** Forms send empty fields. */
const optional = (max: number) => line(max).transform((value) => value || null);

const MAX_DESCRIPTION = 4_000;

/** Plain text, not HTML. */
export const Description = z
  .string()
  .meta({ maxLength: MAX_DESCRIPTION, examples: ["Songs from the harbour."] })
  .transform((value) => value.replaceAll("\r\n", "\n"))
  .pipe(text(MAX_DESCRIPTION))
  .transform((value) => value || null);

export const WebsiteTitle = optional(100).meta(
  about("Label of the website's link. Null if the user gave none.", "My site"),
);

export const Website = line(1_000)
  .refine(
    (value) => value === "" || isWebAddress(value),
    "must be a complete address such as https://example.com",
  )
  .transform((value) => value || null)
  .meta(about("Null if the user gave none.", "https://ana.example"));

/** Excludes schemes that would run code when shown as a link. */
export function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return /^https?:\/\/[^\s/]/i.test(value) && url?.hostname.includes(".") === true && !url.username;
}

export const ProfileInput: z.ZodType<Profile, Record<keyof Profile, string>> = z.object({
  username: Username,
  full_name: optional(100),
  city: optional(100),
  country: z
    .string()
    .refine((code) => code === "" || isCountry(code), "is unknown")
    .transform((code) => code || null),
  description: Description,
  website: Website,
  website_title: WebsiteTitle,
  discogs_name: optional(100),
  myspace_name: optional(100),
});

export const PROFILE_LABELS: Record<keyof Profile, string> = {
  username: "Username",
  full_name: "Full name",
  city: "City",
  country: "Country",
  description: "About you",
  website: "Website",
  website_title: "Name of the website",
  discogs_name: "Name on Discogs",
  myspace_name: "Name on Myspace",
};

/** Returns every field of the profile; missing ones are "". */
export const profileFields = (sent: Record<string, string>): Record<keyof Profile, string> => {
  const names = Object.keys(PROFILE_LABELS) as (keyof Profile)[];
  return Object.fromEntries(names.map((name) => [name, sent[name] ?? ""])) as Record<keyof Profile, string>;
};
