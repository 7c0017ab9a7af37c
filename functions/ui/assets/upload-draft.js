import { sizeInWords } from "../../lib/text/size.ts";
import { problemsOf } from "./upload-fields.js";
import { MAX_PICTURE_BYTES } from "./upload-kinds.js";
import { tell } from "./upload-list.js";
import { nameOf, readDraft, storeDraft } from "./upload-memory.js";
import { titleFrom } from "./upload-tags.js";

/** A file and what the person says about its track. */
export class Draft {
  problems = {};
  edited = new Set();
  /** Counts changes. A call saves only those that were made before it began. */
  edits = 0;

  constructor({ file, upload }) {
    this.file = file;
    this.upload = upload;
    this.name = file?.name ?? upload.filename;
    this.size = file?.size ?? upload.size;
    this.fillIn();
  }

  /** Words that were typed before count more than the file's name. */
  fillIn() {
    const draft = readDraft(this.memory);
    this.values = { sharing: "private", title: titleFrom(this.name), ...draft?.values };
    // "Save" alone takes the form's choice over, so nothing else makes a track public.
    this.sharing = draft?.sharing ?? "private";
    this.isSaved = draft?.isSaved ?? true;
    for (const name of draft?.edited ?? []) this.edited.add(name);
  }

  /** Same name, size and time of change: the same file. */
  isOf({ name, size, lastModified }) {
    const changed = this.file ? this.file.lastModified : this.upload.last_modified;
    return name === this.name && size === this.size && lastModified === changed;
  }

  /** The name under which what was typed is kept. A file has no session before it is sent. */
  get memory() {
    return this.upload?.id ?? nameOf(this.file);
  }

  edit(name, value) {
    this.values[name] = value;
    this.edited.add(name);
    this.edits++;
    this.isSaved = false;
    delete this.problems[name];
    this.remember();
  }

  /** Returns whether the picture is taken. One that is too large would be sent for nothing. */
  setArtwork(file) {
    if (file.size > MAX_PICTURE_BYTES) {
      this.problems.artwork_data = `may have ${sizeInWords(MAX_PICTURE_BYTES)} at most`;
      tell();
      return false;
    }
    this.artwork = file;
    this.artworkOf = undefined;
    this.edits++;
    this.isSaved = false;
    delete this.problems.artwork_data;
    tell();
    return true;
  }

  remember() {
    const { values, edited, sharing, isSaved } = this;
    if (this.track || !(this.upload || edited.size)) return;
    storeDraft(this.memory, { values, sharing, isSaved, edited: [...edited] });
  }

  noteProblems(error) {
    const { fields, rest } = problemsOf(error);
    Object.assign(this.problems, fields);
    this.problem = rest ?? this.problem;
  }
}
