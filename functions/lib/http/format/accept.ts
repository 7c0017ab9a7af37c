interface MediaRange {
  type: string;
  subtype: string;
  quality: number;
}

const MEDIA_RANGE = /^([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)$/;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** RFC 9110 §12.5.1. A malformed media range is ignored; a malformed quality counts as 1. */
function mediaRanges(accept: string): MediaRange[] {
  return accept.split(",").flatMap((part) => {
    const [range = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    const [, type, subtype] = MEDIA_RANGE.exec(range) ?? [];
    if (!type || !subtype) return [];
    const quality = parameters.map((parameter) => QUALITY.exec(parameter)?.[1]).find(Boolean);
    return [{ type, subtype, quality: Number(quality ?? 1) }];
  });
}

/** Less than the difference between two qualities. */
const NAMED = 0.0001;

// The most specific range counts, not the best. A type that is named precedes one that `*/*` covers: many
// clients send `application/json, text/plain, */*` and read JSON alone.
function qualityOf(mediaType: string, ranges: MediaRange[], exactly: boolean): number {
  const [type, subtype] = mediaType.split("/");
  const named = ranges.find((range) => range.type === type && range.subtype === subtype);
  if (named) return named.quality && named.quality + NAMED;
  if (exactly) return 0;
  const ofType = ranges.find((range) => range.type === type && range.subtype === "*");
  return (ofType ?? ranges.find((range) => range.type === "*"))?.quality ?? 0;
}

/** An available media type. Its aliases match only if they are named in full. */
interface Offer<Name> {
  name: Name;
  mediaType: string;
  aliases: readonly string[];
}

/**
 * Returns the preferred offer, the first of equals, or `undefined` if none is acceptable. No `Accept` accepts
 * anything.
 */
export function negotiate<Name>(
  accept: string | undefined,
  offers: readonly Offer<Name>[],
): Name | undefined {
  const ranges = mediaRanges(accept ?? "");
  if (!ranges.length) return offers[0]?.name;
  const rated = offers.map(({ name, mediaType, aliases }) => ({
    name,
    quality: Math.max(
      qualityOf(mediaType, ranges, false),
      ...aliases.map((alias) => qualityOf(alias, ranges, true)),
    ),
  }));
  const best = Math.max(...rated.map(({ quality }) => quality));
  return best > 0 ? rated.find(({ quality }) => quality === best)?.name : undefined;
}
