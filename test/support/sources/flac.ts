/** MSB first, without reflection. */
function crc(data: Buffer, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  let value = 0;
  for (const byte of data) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) value = ((value & top ? polynomial : 0) ^ (value << 1)) & (2 * top - 1);
  }
  return value;
}

/** 4,096 samples of one value, in mono of 32 bits. RFC 9639 §9 */
function frame(number: number): Buffer {
  const head = Buffer.from([0xff, 0xf8, 0xc9, 0x0e, number]);
  const value = Buffer.from([0x10, 0x00, 0x00, 0x01]);
  const whole = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07), 0x00]), value]);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crc(whole, 16, 0x8005));
  return Buffer.concat([whole, check]);
}

/** A FLAC of 32 bits, which Debian's ffmpeg cannot write. 44.1 kHz, mono. */
export function wideFlac(frames: number): Buffer {
  const info = Buffer.alloc(38);
  info.writeUInt32BE(0x8000_0022, 0);
  info.writeUInt16BE(4096, 4);
  info.writeUInt16BE(4096, 6);
  // Rate of 20 bits, channels less one of 3, bits less one of 5, and the top of a count of 36.
  info.writeUInt32BE(44_100 * 2 ** 12 + (31 << 4), 14);
  info.writeUInt32BE(frames * 4096, 18);
  const all = Array.from({ length: frames }, (_, number) => frame(number));
  return Buffer.concat([Buffer.from("fLaC"), info, ...all]);
}
