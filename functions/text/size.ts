/** `10 MB`, each of 2^20 bytes. Below one, bytes. */
export const sizeInWords = (bytes: number): string =>
  bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.floor(bytes / 2 ** 20)} MB`;
