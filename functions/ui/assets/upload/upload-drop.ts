import { audioTypeOf } from "./upload-kinds.ts";

/** Finds the files of a drop. Browsers hand over a folder as one file that cannot be read, so its entries are asked for. */

/**
 * Returns dropped files and the audio in dropped folders, and says which folders give none. Nobody chose the other
 * files of a folder, such as covers, so they are left out.
 */
export async function filesOf(transfer: DataTransfer): Promise<{ files: File[]; refusals: string[] }> {
  // The transfer is empty once its event is over.
  const dropped = [...transfer.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry() }));
  const files: File[] = [];
  const refusals: string[] = [];
  for (const { file, entry } of dropped) {
    if (!entry || !isFolder(entry)) {
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

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** In the order of their names, as on a record. Hidden ones hold what the system notes about others. */
async function audioIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith("."));
  entries.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  const found: File[] = [];
  for (const entry of entries) {
    if (isFolder(entry)) found.push(...(await audioIn(entry)));
    if (isFile(entry)) found.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
  }
  return found.filter(audioTypeOf);
}

/** A reader gives some at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (!some.length) return all;
    all.push(...some);
  }
}
