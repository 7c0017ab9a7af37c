/** Shows how far a file is: one line that is rewritten on a terminal, a line each tenth elsewhere. */
export function progressLine(name: string): (stage: string, done: number) => void {
  let shown = "";
  return (stage, done) => {
    const percent = Math.min(100, Math.floor(done * 100));
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
