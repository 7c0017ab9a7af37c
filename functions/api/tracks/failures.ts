/** Explains a failed encode to the owner, by stable code. The file is at fault, so a retry would fail again. */
const FAULTS_OF_FILES: Record<string, string> = {
  empty_file: "The file is empty.",
  unsupported_format: "The file is not AIFF, WAVE, FLAC, ALAC, OGG, MP2, MP3, AAC, AMR or WMA.",
  no_audio_stream: "The file holds no audio.",
  unreadable_container: "The file's structure is damaged and could not be read.",
  unsupported_codec: "The file's audio codec is not supported.",
  free_format: "The file is a free-format MP3, which is not supported. Choose one with a bit rate.",
  protected: "The file is protected against copying. Choose one without DRM.",
  undecodable: "The audio is damaged and could not be decoded.",
  too_long: "The audio is longer than 24 hours.",
  oversized: "The file decodes to far more audio than its size allows.",
};

/** Explains encodes that an operator or the time ended. A retry is refused. */
const ENDED: Record<string, string> = {
  dropped: "An operator stopped the encoding of this file.",
  original_deleted: "The file was not tried again for 30 days, so it was deleted.",
};

/** Explains failures of the service, and of a limit that may be raised. */
const FAULTS_OF_OURS: Record<string, string> = {
  over_quota: "The track is longer than your quota of upload time has left.",
  source_missing: "The uploaded file is no longer in storage.",
  source_unavailable: "The uploaded file could not be read from storage.",
  source_interrupted: "Reading the uploaded file from storage was interrupted.",
  output_unavailable: "The encoded audio could not be written to storage.",
  killed: "Encoding was stopped before it finished.",
  stalled: "Encoding stalled.",
  timeout: "Encoding took too long.",
  no_space: "The encoder ran out of space.",
  report_refused: "The encoder and the service disagree on their protocol.",
  lost: "The encoder stopped responding.",
  gave_up: "Encoding could not be started.",
};

export const reasonSentence = (code: string): string =>
  FAULTS_OF_FILES[code] ?? FAULTS_OF_OURS[code] ?? ENDED[code] ?? "Encoding failed.";

/** Codes of failures that a retry cannot fix. */
export const FINAL_FAULTS = Object.keys({ ...FAULTS_OF_FILES, ...ENDED });

export const mayRetry = (code: string): boolean => !FINAL_FAULTS.includes(code);

/** Explains a flaw of a track that is playable nevertheless. */
const WARNINGS: Record<string, string> = {
  decode_errors: "Parts of the file are damaged. What could be decoded is published.",
  shorter_than_declared: "The file is shorter than its header announces: its end may be missing.",
  longer_than_declared: "The file holds more audio than its header announces. All of it is published.",
  clipped:
    "The loudest samples are above full scale and were clipped. Lower the level and upload the file again.",
};

export const warningSentence = (code: string): string => WARNINGS[code] ?? "The file may be damaged.";
