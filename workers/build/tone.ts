const RATE_HZ = 8_000;
const NOTES_HZ = [262, 330, 392];
/** Bytes. */
const HEADER = 44;

/** Makes a WAV of a note a second, at most three, small enough to be anybody's first upload: PCM, 8 bits, mono. */
export function toneFile(seconds = NOTES_HZ.length): Buffer {
  const samples = Buffer.alloc(RATE_HZ * seconds);
  for (let at = 0; at < samples.length; at++) {
    const second = at / RATE_HZ;
    const note = NOTES_HZ[Math.floor(second)] ?? 0;
    const fade = 1 - (second % 1);
    samples[at] = 128 + Math.round(60 * fade * Math.sin(2 * Math.PI * note * second));
  }
  const header = Buffer.alloc(HEADER);
  header.write("RIFF", 0);
  header.writeUInt32LE(HEADER - 8 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE_HZ, 24);
  header.writeUInt32LE(RATE_HZ, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
