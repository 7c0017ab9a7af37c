/** A tag as people see it, or `namespace:key=value`, which is for machines. */
export type Tag = string;

/** Machine tag with a quoted value, phrase in quotes, or word. An end of the text closes a quote that nothing else does. */
const TOKEN = /([^\s":=]+:[^\s":=]+=)"([^"]*)"?|"([^"]*)"?|(\S+)/g;

const MACHINE_TAG = /^[^\s":=]+:[^\s":=]+=/;

/** Of a list as it is written: separated by blanks, quotes around what holds some. Each tag once. Linear in its length. */
export function parseTags(list: string): Tag[] {
  const tags = Array.from(list.matchAll(TOKEN), ([, machine = "", value, phrase, word]) =>
    `${machine}${value ?? phrase ?? word ?? ""}`.replace(/\s+/g, " ").trim(),
  );
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** The same list for the same tags: `parseTags` finds just these in it. */
export const writeTags = (tags: Tag[]): string => tags.map(written).join(" ");

function written(tag: Tag): string {
  if (!tag.includes(" ")) return tag;
  const [machine = ""] = MACHINE_TAG.exec(tag) ?? [];
  return `${machine}"${tag.slice(machine.length)}"`;
}

/** Those that pages show. */
export const isMachineTag = (tag: Tag): boolean => MACHINE_TAG.test(tag);
