import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { hasRoom } from "../../workers/local/object-store/room.ts";
import { CREDENTIALS, newDirectory } from "./object-store-process.ts";

const MAIN = join(import.meta.dirname, "../../workers/local/object-store/main.ts");

/** A disk of 4 MiB with `$2` KiB free, mounted in its own namespace. */
const ON_A_SMALL_DISK = `mount -t tmpfs -o size=4m none "$1" && { head -c $(((4096 - $2) * 1024)) /dev/zero > "$1/full"; true; } &&
  exec "$3" "$4"`;

/** Status of a bucket if a watched disk has this much room. */
async function statusWith(freeKib: number): Promise<number | undefined> {
  const [disk, directory] = [newDirectory(), newDirectory()];
  const own = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  const words = [disk, String(freeKib), process.execPath, MAIN];
  const child = spawn("unshare", [...own, "sh", "-c", ON_A_SMALL_DISK, "sh", ...words], {
    env: {
      ...process.env,
      ...{ PORT: "0", HOSTS: "127.0.0.1", DATA_DIR: directory, ROOM_IN: JSON.stringify([disk]) },
      ...{ S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId, S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey },
      ...{ S3_BUCKETS: '{"media":{}}', EXIT_WITH_PARENT: "1" },
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    const [line] = await Promise.race([
      once(createInterface(child.stdout), "line"),
      ended.then(() =>
        Promise.reject(new Error("No disk could be made to be filled, or the store did not start")),
      ),
    ]);
    const endpoint = `http://127.0.0.1:${JSON.parse(line).port}`;
    const s3 = new S3Client({
      endpoint,
      region: "auto",
      forcePathStyle: true,
      credentials: CREDENTIALS,
      maxAttempts: 1,
    });
    const answered = await s3.send(new HeadBucketCommand({ Bucket: "media" })).catch((error) => error);
    return answered.$metadata?.httpStatusCode;
  } finally {
    child.stdin.end();
    await ended;
  }
}

test("507: a bucket reports a disk that is full or nearly full; otherwise 200", async () => {
  expect(await Promise.all([statusWith(0), statusWith(100), statusWith(2048)])).toEqual([507, 507, 200]);
});

test("a missing directory, or a disk without size, does not count as full", () => {
  expect(hasRoom([newDirectory(), "/nowhere", "/proc"])).toBe(true);
});
