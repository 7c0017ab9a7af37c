/** Seconds of CPU that the work took, which others on the machine do not lengthen much. */
export async function cpuSecondsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}
