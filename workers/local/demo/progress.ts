/** Prints progress: one rewritten line on a terminal, otherwise a line each tenth. */
export function progressLine(name: string): (stage: string, fraction: number) => void {
  let shown = "";
  return (stage, fraction) => {
    const percent = Math.min(100, Math.floor(fraction * 100));
    const line = `${name}: ${stage} ${percent} %`;
    if (process.stdout.isTTY) {
      process.stdout.write(`\r\u001b[K${line}${percent === 100 && stage !== "uploading" ? "\n" : ""}`);
      return;
    }
    const coarse = `${name}: ${stage} ${percent - (percent % 10)} %`;
    if (coarse !== shown) console.log(coarse);
    shown = coarse;
  };
}
