import { createHash, type Hash } from "node:crypto";
import type { Context } from "hono";
import { SessionEnded } from "../../db/faults.ts";
import { originalKey } from "../../db/objects/keys.ts";
import { openStorage } from "../../db/objects/open.ts";
import { beginClassicUpload, type ReceivedOriginal } from "../../db/queries/classic-uploads.ts";
import { forgetGarbage } from "../../db/queries/garbage.ts";
import { formObject } from "../http/body/form-object.ts";
import type { FormFile } from "../http/body/multipart.ts";
import { partsOf } from "../http/body/multipart-ahead.ts";
import { type FileFields, receive } from "../http/body/multipart-body.ts";
import type { UserEnv } from "../http/env.ts";
import { invalid, tooLarge } from "../http/errors.ts";
import { firstReplyTo } from "../http/idempotency.ts";
import { describeError, logLine } from "../http/log.ts";
import { HttpError } from "../http-error.ts";
import { MAX_UPLOAD_BYTES } from "./limits.ts";
import { StreamedObject } from "./streamed.ts";

/** Bytes of a form besides its files: more than its fields and headers together can be. */
const MAX_REST_BYTES = 2 * 2 ** 20;

interface ClassicForm<Form> {
  /** The field that holds the original, which goes to storage as it arrives. */
  original: string;
  /** Other files, which are small enough to be held. */
  files: FileFields;
  /** Refuses what is wrong already, before the original is taken in. */
  check(form: object): void;
  /** The whole form, the original a `ReceivedOriginal` in its field. */
  parse(form: object): Form;
}

/**
 * Takes in a multipart form in constant memory and makes something of it, once its original stands in storage. Of a request
 * that fails nothing is left: at once where that can be told, else by the sweep. A `Response` is one of before: see
 * `firstReplyTo`.
 */
export async function receiveClassic<Form, Result>(
  c: Context<UserEnv>,
  expected: ClassicForm<Form>,
  make: (form: Form) => Promise<Result>,
): Promise<Result | Response> {
  const maxBytes = [...expected.files.values()].reduce(
    (sum, bytes) => sum + bytes,
    MAX_UPLOAD_BYTES + MAX_REST_BYTES,
  );
  if (Number(c.req.header("Content-Length") ?? 0) > maxBytes)
    tooLarge(`A file may have ${MAX_UPLOAD_BYTES} bytes at most`);
  const key = originalKey(c.var.viewer.userId);
  await beginClassicUpload(c.var.db, c.var.viewer, key);
  const incoming = new Incoming(c, key);
  let form: Form;
  try {
    form = expected.parse(await incoming.form(expected));
    const answered = await firstReplyTo(c, incoming.sent);
    if (answered) {
      await incoming.abandon();
      return answered;
    }
    await incoming.stored();
  } catch (error) {
    await incoming.abandon();
    throw error;
  }
  try {
    return await make(form);
  } catch (error) {
    // A refusal made nothing of it. After a fault of the database the track may stand, and its original must.
    if (error instanceof HttpError || error instanceof SessionEnded) await incoming.abandon();
    throw error;
  }
}

class Incoming {
  readonly #c: Context<UserEnv>;
  readonly #key: string;
  #object: StreamedObject | undefined;
  /** Of the original, only where it may be sent again: four gigabytes take seconds. */
  readonly #digest: Hash | undefined;
  /** Fields as they came, files by what they hold. */
  readonly sent: [string, unknown][] = [];

  constructor(c: Context<UserEnv>, key: string) {
    this.#c = c;
    this.#key = key;
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
        part.name === original ? await this.#store(part) : await receive(part, files.get(part.name));
      if (value !== undefined) fields.push([part.name, value]);
      this.sent.push([part.name, part.name === original ? this.#told(part) : value]);
    }
    return formObject(fields);
  }

  #told = ({ filename, type }: FormFile) => ({ filename, type, sha256: this.#digest?.copy().digest("hex") });

  async stored(): Promise<void> {
    await this.#object?.finish();
  }

  /** `undefined` where a form was sent without a file chosen. */
  async #store(file: FormFile): Promise<ReceivedOriginal | undefined> {
    const { name, filename, type } = file;
    const object = new StreamedObject(openStorage(this.#c.env), this.#key, type, MAX_UPLOAD_BYTES);
    this.#object = object;
    for await (const chunk of file.content) {
      this.#digest?.update(chunk);
      file.keep(await object.write(chunk));
    }
    if (!object.size && !filename) this.#object = undefined;
    else if (!object.size) invalid(`${name}: the file is empty`);
    return (
      this.#object && { objectKey: this.#key, filename: filename || "untitled", size: object.size, type }
    );
  }

  /** What cannot be reached now is swept later. */
  async abandon(): Promise<void> {
    try {
      await this.#object?.abandon();
      await forgetGarbage(this.#c.var.db, this.#key);
    } catch (error) {
      logLine("warn", "upload_left_to_sweep", { request_id: this.#c.var.requestId, ...describeError(error) });
    }
  }
}
