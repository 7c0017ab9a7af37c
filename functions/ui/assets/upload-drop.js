import { audioTypeOf } from "./upload-kinds.js";

/** Finds the files of a drop. Browsers hand over a folder as one file that cannot be read, so its entries are asked for. */

/**
 * Returns dropped files and the audio in dropped folders, and says which folders give none. Nobody chose the other
 * files of a folder, such as covers, so they are left out.
 */
export async function filesOf(transfer) {
  // The transfer is empty once its event is over.
  const dropped = [...transfer.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry?.() }));
  const files = [];
  const refusals = [];
  for (const { file, entry } of dropped) {
    if (!entry?.isDirectory) {
      if (file) files.push(file);
      continue;
    }
    const found = await audioIn(entry).catch(() => undefined);
    files.push(...(found ?? []));
    if (!found) refusals.push(`The folder ${entry.name} cannot be read.`);
    else if (!found.length) refusals.push(`The folder ${entry.name} holds no audio files.`);
  }
  return { files, refusals };
}

/** In the order of their names, as on a record. Hidden ones hold what the system notes about others. */
async function audioIn(folder) {
  const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith("."));
  entries.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  const found = [];
  for (const entry of entries) {
    if (entry.isDirectory) found.push(...(await audioIn(entry)));
    else found.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
  }
  return found.filter(audioTypeOf);
}

/** A reader gives some at a time, and none at the end. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    all.push(...some);
  }
}
