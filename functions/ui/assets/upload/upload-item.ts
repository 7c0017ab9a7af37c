import { sizeInWords } from "../../../lib/text/size.ts";
import type { ApiError } from "./upload-api.ts";
import { problemsOf, type Values } from "./upload-fields.ts";
import { MAX_PICTURE_BYTES, Speed } from "./upload-kinds.ts";
import { nameOf, readDraft, storeDraft } from "./upload-memory.ts";
import { tell } from "./upload-news.ts";
import type { Session, Track, Upload } from "./upload-replies.ts";
import { titleFrom } from "./upload-tags.ts";
import type { Transfer } from "./upload-transfer.ts";

export type Phase =
  /** Its file must be chosen again. */
  | "lost"
  /** Another tab has it. */
  | "elsewhere"
  | "waiting"
  | "sending"
  | "paused"
  | "stalled"
  | "joining"
  | "creating"
  /** A field must change. */
  | "unfit"
  | "encoding"
  | "finished"
  | "failed"
  | "removing";

type Origin = { file: File; upload: Upload | undefined } | { file?: undefined; upload: Upload };

/** One file on its way to a track, and what the person says about that. */
export class Item {
  readonly id = crypto.randomUUID();
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly lastModified: number | null;
  file: File | undefined;
  upload: Upload | undefined;
  track: Track | undefined;

  phase: Phase = "waiting";
  /** Why it is in its phase, for people. */
  problem: string | undefined;
  /** Bytes that storage has. */
  bytes = 0;
  readonly speed = new Speed();
  /** Whether it waits because too many others were begun. */
  isHeldBack = false;
  /** Whether another try is in vain. */
  isHopeless = false;
  /** Milliseconds: when it may be sent. */
  notBefore = 0;
  /** Stops what is on its way. */
  stop: AbortController | undefined;
  transfer: Transfer | undefined;
  opening: Promise<Session> | undefined;
  /** The timer of the next try. */
  again = 0;

  values: Values = { sharing: "private", title: "" };
  /** Names of the fields that were typed in. */
  readonly edited = new Set<string>();
  /** Counts changes. A call saves only those that were made before it began. */
  edits = 0;
  /** "Save" alone takes the form's choice over, so nothing else makes a track public. */
  sharing = "private";
  /** The time of publication is taken over like it. */
  publishAt = "";
  isSaved = true;
  /** Whether "Save" was pressed. */
  isPressed = false;
  saving = Promise.resolve();
  /** Whether a call without an answer may have made the track. */
  isMadeBefore = false;
  problems: Record<string, string> = {};
  /** Reads the file's tags. */
  reading: Promise<void> | undefined;
  /** Whether the tags are read. */
  isRead = false;
  artwork: File | undefined;
  /** The artwork that the track has. */
  artworkOf: File | undefined;

  constructor({ file, upload }: Origin) {
    this.file = file;
    this.upload = upload;
    this.name = file ? file.name : upload.filename;
    this.size = file ? file.size : upload.size;
    this.lastModified = file ? file.lastModified : upload.last_modified;
    this.fillIn();
  }

  to(phase: Phase, problem?: string): void {
    this.phase = phase;
    this.problem = problem;
    tell();
  }

  /** Words that were typed before count more than the file's name. */
  fillIn(): void {
    const draft = readDraft(this.memory);
    this.values = { sharing: "private", title: titleFrom(this.name), ...draft?.values };
    this.sharing = draft?.sharing ?? "private";
    this.publishAt = draft?.publishAt ?? "";
    this.isSaved = draft?.isSaved ?? true;
    for (const name of draft?.edited ?? []) this.edited.add(name);
  }

  /** The values that were typed in. */
  get typed(): Partial<Values> {
    return Object.fromEntries(Object.entries(this.values).filter(([name]) => this.edited.has(name)));
  }

  /** Same name, size and time of change: the same file. */
  isOf({ name, size, lastModified }: File): boolean {
    return name === this.name && size === this.size && lastModified === this.lastModified;
  }

  /** The name under which what was typed is kept. A file has no session before it is sent. */
  get memory(): string | number {
    return this.upload?.id ?? nameOf(this);
  }

  edit(name: string, value: string): void {
    this.values[name] = value;
    this.edited.add(name);
    this.#change(name);
    this.remember();
  }

  /** Returns whether the picture is taken. One that is too large would be sent for nothing. */
  setArtwork(file: File): boolean {
    const isTaken = file.size <= MAX_PICTURE_BYTES;
    if (isTaken) {
      this.artwork = file;
      this.artworkOf = undefined;
      this.#change("artwork_data");
    } else this.problems.artwork_data = `may have ${sizeInWords(MAX_PICTURE_BYTES)} at most`;
    tell();
    return isTaken;
  }

  #change(name: string): void {
    this.edits++;
    this.isSaved = false;
    delete this.problems[name];
  }

  remember(): void {
    const { values, edited, sharing, publishAt, isSaved } = this;
    if (!(this.upload || edited.size)) return;
    storeDraft(this.memory, { values, sharing, publishAt, isSaved, edited: [...edited] });
  }

  noteProblems(error: ApiError): void {
    const { fields, rest } = problemsOf(error);
    Object.assign(this.problems, fields);
    this.problem = rest ?? this.problem;
  }
}
