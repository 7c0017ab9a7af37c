/** Why an encode failed, for the owner: stable codes, and what to do. The first seven are the file's; the rest are ours. */
const SENTENCES: Record<string, string> = {
  empty_file: "The file is empty.",
  unsupported_format: "The file is none of AIFF, WAVE, FLAC, OGG, MP2, MP3, AAC, AMR or WMA.",
  no_audio_stream: "The file holds no audio.",
  unreadable_container: "The file's structure is damaged and could not be read.",
  unsupported_codec: "The audio inside the file is of a kind that we cannot decode.",
  undecodable: "The audio is damaged and could not be decoded.",
  too_long: "The audio is longer than 24 hours.",
  source_unavailable: "The uploaded file could not be read from storage.",
  source_interrupted: "Reading the uploaded file from storage was interrupted.",
  output_unavailable: "The encoded audio could not be written to storage.",
  killed: "Encoding was stopped before it was done.",
  stalled: "Encoding came to a halt.",
  timeout: "Encoding took too long.",
  no_space: "The encoder ran out of space.",
  lost: "The encoder went silent.",
  gave_up: "Encoding could not be started.",
};

export const reasonSentence = (code: string): string => SENTENCES[code] ?? "Encoding failed.";
