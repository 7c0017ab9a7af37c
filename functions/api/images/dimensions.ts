/** Pixels, as the header claims. */
export interface Dimensions {
  width: number;
  height: number;
}

/** Reads magic bytes and header only. A file's name and type are not trusted. */
export function dimensionsOf(bytes: Uint8Array): Dimensions | "no_image" | "damaged" {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const measure = READERS.find(({ magic }) => magic.every((byte, at) => bytes[at] === byte))?.measure;
  if (!measure) return "no_image";
  try {
    const { width, height } = measure(view);
    return width > 0 && height > 0 ? { width, height } : "damaged";
  } catch (error) {
    // The header ends early.
    if (error instanceof RangeError) return "damaged";
    throw error;
  }
}

interface Reader {
  magic: number[];
  measure(view: DataView): Dimensions;
}

const gif = (version: number): Reader => ({
  magic: [0x47, 0x49, 0x46, 0x38, version, 0x61],
  measure: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
});

const READERS: Reader[] = [
  {
    magic: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    // The header's chunk comes first: PNG specification, §5.6.
    measure: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  { magic: [0xff, 0xd8, 0xff], measure: measureJpeg },
  gif(0x37),
  gif(0x39),
];

/** Walks the segments to the one that begins a frame: ITU T.81, annex B. */
function measureJpeg(view: DataView): Dimensions {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return { width: 0, height: 0 };
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Any number of fill bytes may precede a marker, and a few markers have no segment.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + view.getUint16(at + 2);
  }
}

/** SOF0–SOF15. Three markers among them mean something else. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
