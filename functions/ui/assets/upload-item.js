import { callApi, findInApi } from "./upload-api.js";
import { Draft } from "./upload-draft.js";
import { followEncoding } from "./upload-encoding.js";
import { factsOf, fieldsOf, valuesOf } from "./upload-fields.js";
import { audioTypeOf, Speed } from "./upload-kinds.js";
import { items, startNext, tell } from "./upload-list.js";
import { forget } from "./upload-memory.js";
import { removeFile } from "./upload-removal.js";
import { hold, isElsewhere, letGo, whenFree } from "./upload-tabs.js";
import { readTags } from "./upload-tags.js";
import { refuseUnreadable, Transfer } from "./upload-transfer.js";

/** One file on its way to a track. */

/** Milliseconds until a session is asked for again when the API has none to give. */
const BUSY_MS = 10_000;
/** Milliseconds until a file that stopped is tried again. */
const AGAIN_MS = 60_000;

let api = "";

export const setApi = (url) => {
  api = url;
};

const isResumable = ({ status }) => status === "open" || status === "completing" || status === "ready";

export class Item extends Draft {
  phase = "waiting";
  bytes = 0;
  speed = new Speed();
  saving = Promise.resolve();
  id = crypto.randomUUID();

  to(phase, problem) {
    this.phase = phase;
    this.problem = problem;
    tell();
  }

  /** Its file is there again. */
  take(file) {
    this.file = file;
    if (this.phase === "lost") this.goOn();
    else if (this.phase !== "elsewhere") this.readTags();
  }

  /** Goes on with a session from before, unless another tab has it. */
  async goOn() {
    const isTaken = await isElsewhere(this.upload.id);
    if (this.phase !== "lost") return;
    if (isTaken) return this.standBy();
    if (this.file) this.readTags();
    if (this.file || this.upload.status === "ready") this.to("waiting");
    startNext();
  }

  /** Waits until the other tab ends or has done its work. */
  async standBy() {
    this.to("elsewhere");
    const { id } = this.upload;
    await whenFree(id);
    this.upload = await findInApi(api, `/uploads/${id}`).catch(() => this.upload);
    if (!this.upload || !isResumable(this.upload)) {
      items.splice(items.indexOf(this), 1);
      return startNext();
    }
    this.fillIn();
    this.to("lost");
    return this.goOn();
  }

  readTags() {
    this.reading = this.#readTags();
  }

  async #readTags() {
    const { fields, artwork } = await readTags(this.file);
    for (const [name, value] of Object.entries(fields))
      if (value && !this.edited.has(name) && !this.track) this.values[name] = value;
    if (artwork && !this.artwork) this.artwork = artwork;
    this.isRead = true;
    this.remember();
    tell();
    // The page may have been left before the picture went.
    if (this.track && !this.track.artwork_url) await this.sendArtwork();
  }

  pause() {
    this.phase = "paused";
    // Storage may hold a part whose answer never came.
    this.transfer = undefined;
    this.stop?.abort(new DOMException("Paused", "AbortError"));
    tell();
    startNext();
  }

  resume() {
    this.to("waiting");
    startNext();
  }

  /** Storage or the service may be back soon, and nobody may be there to press a button. */
  stall({ status, message }) {
    const mayPass = status === 0 || status >= 500;
    this.to("stalled", mayPass ? `${message} Another try follows in a minute.` : message);
    clearTimeout(this.again);
    if (mayPass) this.again = setTimeout(() => this.phase === "stalled" && this.resume(), AGAIN_MS);
  }

  remove() {
    return removeFile(this, api);
  }

  async send() {
    this.to("sending");
    this.stop = new AbortController();
    const { signal } = this.stop;
    try {
      if (this.upload?.track_id && (await this.recall())) return;
      await this.open(signal);
      if (!(await hold(this.upload.id))) return this.standBy();
      if (this.upload.status !== "ready") {
        this.transfer ??= new Transfer(api, this.file, this.upload, (bytes) => this.moved(bytes));
        const parts = await this.transfer.run(signal);
        this.to("joining");
        const path = `/uploads/${this.upload.id}/complete`;
        this.upload = await callApi(api, "POST", path, { json: { parts }, signal });
      }
      this.bytes = this.size;
      await this.create();
    } catch (error) {
      // Pausing and removing have set the phase.
      if (signal.aborted) return;
      // The session has ended: another try opens a new one.
      if (error.status === 404 || error.status === 409) this.transfer = undefined;
      if (error.status === 429) return this.wait(error.message);
      this.stall(error);
    } finally {
      startNext();
    }
  }

  async open(signal) {
    if (this.upload && !this.transfer && this.upload.status !== "ready")
      this.upload = await findInApi(api, `/uploads/${this.upload.id}`, { signal });
    if (this.upload && isResumable(this.upload)) return;
    this.transfer = undefined;
    // A pause does not end the call: it would leave a session of which nobody knows.
    this.opening ??= this.begin().finally(() => {
      this.opening = undefined;
    });
    await this.opening;
    signal.throwIfAborted();
  }

  async begin() {
    // A session for a file that cannot be sent would keep a place from the others.
    await refuseUnreadable(this.file);
    const { name, size, lastModified } = this.file;
    const json = { filename: name, size, type: audioTypeOf(this.file), last_modified: lastModified };
    const before = this.memory;
    this.upload = await callApi(api, "POST", "/uploads", { json });
    await hold(this.upload.id);
    forget(before);
    this.remember();
  }

  /** Other programs hold the places, or too much was asked for. */
  wait(problem) {
    this.notBefore = Date.now() + BUSY_MS;
    setTimeout(startNext, BUSY_MS);
    this.to("waiting", problem);
  }

  /** Returns whether the file is a track already, which is shown then. */
  async recall() {
    const track = await findInApi(api, `/tracks/${this.upload.track_id}`);
    if (track) {
      const values = valuesOf(track);
      Object.assign(this, { track, values, sharing: track.sharing, isRead: true, bytes: this.size });
      this.follow();
    } else this.upload = undefined;
    this.readTags();
    return Boolean(track);
  }

  moved(bytes) {
    this.bytes = bytes;
    this.speed.note(bytes);
    tell();
  }

  /** Makes the track, private unless the person saved it as public. */
  async create() {
    this.to("creating");
    startNext();
    // A small file may be there before its tags are read.
    await this.reading;
    const { values, sharing, edits } = this;
    const track = { upload_id: this.upload.id, ...fieldsOf(values), ...factsOf(values), sharing };
    try {
      this.track = await callApi(api, "POST", "/tracks", { json: { track } });
    } catch (error) {
      // Without an answer it may be made, from the fields of then. Another call would be answered with it.
      this.isMadeBefore = error.status !== 422;
      if (this.isMadeBefore) throw error;
      this.noteProblems(error);
      return this.to("unfit", this.problem);
    }
    forget(this.upload.id);
    letGo(this.upload.id);
    const hasAll = !this.isMadeBefore && edits === this.edits && values.sharing === sharing;
    const isSavedMeanwhile = this.isSaved && !hasAll;
    this.isSaved = hasAll;
    this.follow();
    await (isSavedMeanwhile ? this.save() : this.sendArtwork());
  }

  async sendArtwork() {
    const { artwork } = this;
    if (!artwork || this.artworkOf === artwork) return;
    const form = new FormData();
    form.set("track[artwork_data]", artwork, artwork.name);
    try {
      await callApi(api, "PUT", `/tracks/${this.track.id}`, { form });
      this.artworkOf = artwork;
    } catch (error) {
      // The track was deleted meanwhile, which says more than this call's 404.
      if (this.isHopeless) return;
      this.noteProblems(error);
      tell();
    }
  }

  /** Before the track exists, its fields wait for it. */
  save() {
    this.sharing = this.values.sharing;
    if (this.track) return this.saveTrack();
    this.problems = {};
    this.isSaved = true;
    this.remember();
    if (this.phase !== "unfit") return tell();
    this.problem = undefined;
    return this.create().catch((error) => this.stall(error));
  }

  /** One call after the other, so that the last save is the one that stays. */
  saveTrack() {
    const { artist, ...fields } = fieldsOf(this.values);
    const { sharing, edits } = this;
    const track = { ...fields, metadata_artist: artist, sharing };
    this.saving = this.saving.then(() => this.update(track, edits));
    return this.saving;
  }

  async update(track, edits) {
    this.problems = {};
    this.problem = undefined;
    try {
      this.track = await callApi(api, "PUT", `/tracks/${this.track.id}`, { json: { track } });
      await this.sendArtwork();
    } catch (error) {
      this.noteProblems(error);
    }
    this.isSaved = edits === this.edits && !Object.keys(this.problems).length && !this.problem;
    tell();
  }

  follow() {
    return followEncoding(this, api);
  }

  /** Sends the rest, or encodes again. */
  async retry() {
    if (!this.track) return this.resume();
    try {
      this.track = await callApi(api, "POST", `/tracks/${this.track.id}/retry`);
      this.problem = undefined;
    } catch (error) {
      this.isHopeless = error.status === 422;
      return this.to("failed", error.message);
    }
    return this.follow();
  }
}
