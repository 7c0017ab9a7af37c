/** Bytes. A file begins at a block, behind a block with its header. */
const BLOCK = 512;

/** Seconds since 1970: npm's own constant, which archives of other formats can tell, too. */
const MODIFIED_S = 499_162_500;

const FILE_MODE = 0o644;
const PROGRAM_MODE = 0o755;

/**
 * Packs text files as npm expects them: POSIX ustar, always the same bytes for the same files. `programs` are the paths of
 * those that can be executed.
 */
export function tarOf(files: ReadonlyMap<string, string>, programs: readonly string[] = []): Buffer {
  const packed = [...files].flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const mode = programs.includes(path) ? PROGRAM_MODE : FILE_MODE;
    return [headerOf(path, content.length, mode), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...packed, Buffer.alloc(2 * BLOCK)]);
}

/** Numbers are octal and end with a zero byte. The checksum counts itself as spaces. */
function headerOf(path: string, size: number, mode: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  if (header.write(path, 0) > 100) throw new Error(`${path} is too long for a header`);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(MODIFIED_S, 12), 136);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total: number, byte: number) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, 148);
  return header;
}
