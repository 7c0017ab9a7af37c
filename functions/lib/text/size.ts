/** `4 GB`, `10 MB`: units of 2^30 and 2^20 bytes. Smaller sizes are in bytes. */
export function sizeInWords(bytes: number): string {
  if (bytes >= 2 ** 30) return `${Math.floor((bytes / 2 ** 30) * 10) / 10} GB`;
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.floor(bytes / 2 ** 20)} MB`;
}
