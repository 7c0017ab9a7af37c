import { createHash, type Hash } from "node:crypto";
import type { Context } from "hono";
import { ConfirmationNeeded, SessionEnded } from "../../../db/faults.ts";
import { originalKey } from "../../../db/objects/keys.ts";
import { openStorage } from "../../../db/objects/open.ts";
import { beginClassicUpload, type ReceivedOriginal, type Room } from "../../../db/queries/classic-uploads.ts";
import { forgetGarbage } from "../../../db/queries/garbage.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import { formMemory } from "../../lib/http/body/form-memory.ts";
import { formObject } from "../../lib/http/body/form-object.ts";
import { partsOf } from "../../lib/http/body/form-parts.ts";
import type { FormFile } from "../../lib/http/body/multipart.ts";
import { MAX_REST_BYTES, receive } from "../../lib/http/body/multipart-body.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { invalid, tooLarge } from "../../lib/http/errors.ts";
import { identifyForm, MadeBefore } from "../../lib/http/idempotency.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { sizeInWords } from "../../lib/text/size.ts";
import { edgeLimit, MAX_UPLOAD_BYTES } from "./limits.ts";
import { mostHeld, StreamedObject } from "./object-stream.ts";
import { checkRoom } from "./quota.ts";

interface ClassicForm<Form> {
  /** The field of the original, which is streamed to storage. */
  original: string;
  /** Other files, which fit in memory. */
  files: ReadonlyMap<string, number>;
  /** Throws for wrong fields before the original arrives. */
  check(form: object): void;
  /** Parses the whole form, with a `ReceivedOriginal` as the original. */
  parse(form: object): Form;
}

/**
 * Streams a multipart form in constant memory and calls `make` once the original is stored. A failed request cleans up
 * after itself, or the sweep does. So does a repetition, whose track already has an original.
 */
export async function receiveClassic<Form, Result>(
  c: Context<UserEnv>,
  expected: ClassicForm<Form>,
  make: (form: Form) => Promise<Result>,
): Promise<Result> {
  const maxBytes = [...expected.files.values()].reduce(
    (sum, bytes) => sum + bytes,
    MAX_UPLOAD_BYTES + MAX_REST_BYTES,
  );
  refuseLarge(c, maxBytes);
  const key = originalKey(c.var.viewer.userId);
  const room = await beginClassicUpload(c.var.db, c.var.viewer, key);
  if (room.awaits_confirmation) throw new ConfirmationNeeded();
  const incoming = new Incoming(c, key, room, maxBytes - MAX_UPLOAD_BYTES);
  let form: Form;
  try {
    form = expected.parse(await incoming.form(expected));
    identifyForm(c, incoming.sent);
    await incoming.finish();
  } catch (error) {
    await incoming.abandon();
    throw error;
  }
  try {
    const made = await make(form);
    if (c.get("idempotent")?.isRepetition) await incoming.abandon();
    return made;
  } catch (error) {
    // A refusal created nothing. After a database fault the track may exist, and needs its original.
    const refusals = [HttpError, SessionEnded, ConfirmationNeeded, MadeBefore];
    if (refusals.some((kind) => error instanceof kind)) await incoming.abandon();
    throw error;
  }
}

/** The network before the service counts bodies of unknown length by itself. */
function refuseLarge(c: Context<UserEnv>, maxBytes: number): void {
  const bytes = Number(c.req.header("Content-Length") ?? 0);
  const edge = edgeLimit(c.env);
  if (edge !== undefined && bytes > edge)
    tooLarge(
      `A form may have ${sizeInWords(edge)} at most here; upload larger files in parts, by POST /uploads`,
    );
  if (bytes > maxBytes) tooLarge(`A file may have ${sizeInWords(MAX_UPLOAD_BYTES)} at most`);
}

class Incoming {
  readonly #c: Context<UserEnv>;
  readonly #key: string;
  readonly #room: Room;
  /** Bytes of the whole form, unknown if it is chunked. */
  readonly #formBytes: number | undefined;
  /** Least size of the original in bytes, by the form's length. */
  readonly #announced: number;
  #object: StreamedObject | undefined;
  /** Hashes the original only if a key allows repeating: four gigabytes take seconds. */
  readonly #digest: Hash | undefined;
  /** Fields as in the request, with digests of files. */
  readonly sent: [string, unknown][] = [];

  constructor(c: Context<UserEnv>, key: string, room: Room, mostOtherBytes: number) {
    this.#c = c;
    this.#key = key;
    this.#room = room;
    this.#formBytes = Number(c.req.header("Content-Length")) || undefined;
    this.#announced = (this.#formBytes ?? 0) - mostOtherBytes;
    this.#digest = c.get("idempotent") && createHash("sha256");
  }

  async form({ original, files, check }: ClassicForm<unknown>): Promise<object> {
    const fields: [string, unknown][] = [];
    for await (const part of partsOf(this.#c)) {
      if (part.kind === "field") {
        fields.push([part.name, part.value]);
        this.sent.push([part.name, part.value]);
        continue;
      }
      check(formObject([...fields, [part.name, undefined]]));
      const value =
        part.name === original
          ? await this.#store(part)
          : await receive(this.#c, part, new Map([[original, MAX_UPLOAD_BYTES], ...files]));
      if (value !== undefined) fields.push([part.name, value]);
      this.sent.push([part.name, part.name === original ? this.#describeFile(part) : value]);
    }
    return formObject(fields);
  }

  #describeFile = ({ filename, type }: FormFile) => ({
    filename,
    type,
    sha256: this.#digest?.copy().digest("hex"),
  });

  async finish(): Promise<void> {
    await this.#object?.finish();
  }

  /** Returns `undefined` if no file was chosen. */
  async #store(file: FormFile): Promise<ReceivedOriginal | undefined> {
    const { name, filename, type } = file;
    this.#checkRoom(name, this.#announced);
    formMemory(this.#c).hold(mostHeld(this.#formBytes));
    const object = new StreamedObject(openStorage(this.#c.env), this.#key, type, MAX_UPLOAD_BYTES);
    this.#object = object;
    for await (const chunk of file.content) {
      this.#digest?.update(chunk);
      this.#checkRoom(name, object.size + chunk.byteLength);
      file.keep(await object.write(chunk));
    }
    if (!object.size && !filename) this.#object = undefined;
    else if (!object.size) invalid(`${name}: the file is empty`);
    return (
      this.#object && { objectKey: this.#key, filename: filename || "untitled", size: object.size, type }
    );
  }

  /**
   * With a key, the request may be a repetition with a stored reply, so the quota is checked when the track is created.
   */
  #checkRoom(field: string, bytes: number): void {
    if (!this.#c.get("idempotent")) checkRoom(field, this.#room, bytes);
  }

  /** The sweep removes the rest later. */
  async abandon(): Promise<void> {
    try {
      await this.#object?.abandon();
      await forgetGarbage(this.#c.var.db, this.#key);
    } catch (error) {
      logLine("warn", "upload_left_to_sweep", { request_id: this.#c.var.requestId, ...describeError(error) });
    }
  }
}
