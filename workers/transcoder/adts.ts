/** Yields AAC packets without their ADTS headers, as they arrive. ISO 13818-7 §6.2 */
export async function* readAdts(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let offset = 0;
    while (offset + 7 <= data.length) {
      if (data.readUInt16BE(offset) >> 4 !== 0xfff)
        throw new Error("the AAC encoder's output lost its frames");
      const bytes = (data.readUInt32BE(offset + 3) >> 13) & 0x1fff;
      if (offset + bytes > data.length) break;
      const hasCrc = ((data[offset + 1] ?? 0) & 1) === 0;
      yield data.subarray(offset + (hasCrc ? 9 : 7), offset + bytes);
      offset += bytes;
    }
    rest = data.subarray(offset);
  }
  if (rest.length > 0) throw new Error("the AAC encoder's output ends inside a packet");
}
