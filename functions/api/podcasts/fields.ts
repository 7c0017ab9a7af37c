import * as z from "zod";
import { EPISODE_TYPES } from "../../../db/schema/podcasts.ts";
import { isWebAddress, oneOf, text } from "../../lib/text/fields.ts";
import { CATEGORIES } from "./categories.ts";

/** Rules of fields that the site's forms and the API share. */

/** Characters. */
export const MAX_NAME = 100;

export const OwnerEmail = z.email("is no e-mail address").max(254, "may have 254 characters at most");

export const Category = z.enum(CATEGORIES, "is unknown").meta({ example: "Society & Culture > Documentary" });

/** BCP 47: a language, perhaps its script, perhaps a country or a region's number. */
export const Language = z
  .string()
  .regex(
    /^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/,
    "is no language code, such as `en` or `pt-BR`",
  )
  .meta({ example: "en" });

/** Characters. */
export const MAX_LANGUAGE = "zxx-Hant-419".length;

export const PodcastType = z
  .enum(["episodic", "serial"], "must be one of episodic, serial")
  .meta({ example: "episodic" });

export const EpisodeType = oneOf(EPISODE_TYPES);

/** A podcast's: https://podcasting2.org/docs/podcast-namespace/tags/guid */
export const Guid = z
  .string()
  .trim()
  .regex(
    /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
    "is no GUID, such as 917393e3-1b1e-5cef-ace4-edaa54e1f810",
  )
  .toLowerCase()
  .meta({ format: "uuid" });

/** The largest season and the largest episode. */
export const MAX_NUMBER = 9_999;

/** Characters. A feed holds hundreds of them. */
const MAX_URL = 2_000;

/** Address of a file or a feed. Nothing here fetches it. */
export const ForeignUrl = text(MAX_URL).refine(isWebAddress, "is no web address").meta({ format: "uri" });
