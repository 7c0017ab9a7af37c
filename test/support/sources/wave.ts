const chunk = (id: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};

/** A WAVE of 44.1 kHz with samples of another kind than 16 bits in stereo. */
export function waveWith(
  { format, channels, bits, body }: { format: number; channels: number; bits: number; body: Buffer },
  extension = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(16);
  const frameBytes = (channels * bits) / 8;
  head.writeUInt16LE(format, 0);
  head.writeUInt16LE(channels, 2);
  head.writeUInt32LE(44_100, 4);
  head.writeUInt32LE(44_100 * frameBytes, 8);
  head.writeUInt16LE(frameBytes, 12);
  head.writeUInt16LE(bits, 14);
  const chunks = [chunk("fmt ", Buffer.concat([head, extension])), chunk("data", body)];
  return chunk("RIFF", Buffer.concat([Buffer.from("WAVE"), ...chunks]));
}

/** The subformat of integers, which follows the mask. */
const PCM_GUID = Buffer.from("0100000000001000800000aa00389b71", "hex");

/** Half a second of a sine of 421 Hz in each channel: `valid` of `bits` are used, the others are 0. */
export function extensibleWav(wave: {
  channels: number;
  mask: number;
  level: number;
  bits?: 16 | 24 | 32;
  valid?: number;
}): Buffer {
  const { channels, mask, level, bits = 16, valid = bits } = wave;
  const bytes = bits / 8;
  const frames = 22_050;
  const body = Buffer.alloc(frames * channels * bytes);
  for (let n = 0; n < frames * channels; n++) {
    const sample = Math.round(level * (2 ** (valid - 1) - 1) * Math.sin(Math.floor(n / channels) * 0.06));
    body.writeIntLE(sample * 2 ** (bits - valid), n * bytes, bytes);
  }
  const extension = Buffer.alloc(8);
  extension.writeUInt16LE(22, 0);
  extension.writeUInt16LE(valid, 2);
  extension.writeUInt32LE(mask, 4);
  return waveWith({ format: 0xfffe, channels, bits, body }, Buffer.concat([extension, PCM_GUID]));
}
