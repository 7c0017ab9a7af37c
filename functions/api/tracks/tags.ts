/** A tag for people, or `namespace:key=value` for machines. */
type Tag = string;

/** A machine tag with a quoted value, a quoted phrase or a word. The end of the text closes an open quote. */
const TOKEN = /([^\s":=]+:[^\s":=]+=)"([^"]*)"?|"([^"]*)"?|(\S+)/g;

const MACHINE_TAG = /^[^\s":=]+:[^\s":=]+=/;

/** Parses a list of unique tags separated by spaces; quotes hold tags with spaces. Runs in linear time. */
export function parseTags(list: string): Tag[] {
  const tags = Array.from(list.matchAll(TOKEN), ([, machine = "", value, phrase, word]) =>
    `${machine}${value ?? phrase ?? word ?? ""}`.replace(/\s+/g, " ").trim(),
  );
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** Writes a canonical list: `parseTags` returns exactly these tags. */
export const writeTags = (tags: Tag[]): string => tags.map(written).join(" ");

function written(tag: Tag): string {
  if (!tag.includes(" ")) return tag;
  const [machine = ""] = MACHINE_TAG.exec(tag) ?? [];
  return `${machine}"${tag.slice(machine.length)}"`;
}

/** Pages hide these. */
export const isMachineTag = (tag: Tag): boolean => MACHINE_TAG.test(tag);
