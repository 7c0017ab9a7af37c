import { expect, test } from "vitest";
import type { UploadRow } from "../../db/queries/uploads.ts";
import { completeUpload } from "../../functions/api/uploads/complete.ts";

const upload: UploadRow = {
  id: 1,
  user_id: 1,
  filename: "song.wav",
  size: 100,
  type: "audio/wav",
  last_modified: null,
  status: "open",
  part_size: 100,
  part_count: 1,
  object_key: "in/1/a",
  storage_upload_id: "s",
  track_id: null,
  error: null,
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-01-02T00:00:00Z",
};

/** Completes an upload that comes to `status` before storage joins its parts, of which nothing is left. */
async function completionOf(status: UploadRow["status"]) {
  const deleted: string[] = [];
  const moved = [[upload], status === "failed" ? [upload] : []];
  const db = { write: async () => moved.shift(), read: async () => [{ ...upload, status }] };
  const stores = {
    multipart: { parts: async () => undefined, complete: async () => "gone" },
    objects: {
      head: async () => undefined,
      deletePrefix: async (_bucket: string, key: string) => deleted.push(key),
    },
  };
  const given = [db, stores] as unknown as [
    Parameters<typeof completeUpload>[0],
    Parameters<typeof completeUpload>[1],
  ];
  const completion = completeUpload(...given, upload, [{ number: 1, etag: '"a"' }]);
  return { completion, deleted };
}

test("an upload that is deleted while it is completed is refused as deleted, not as a file of another size", async () => {
  const refusal = { status: 409, causes: ["The upload is aborted"] };
  const { completion, deleted } = await completionOf("aborted");
  await expect(completion).rejects.toMatchObject(refusal);
  expect(deleted).toEqual([]);
});

test("an upload of another size than announced is refused as such, also by a second request at the same moment, and leaves nothing", async () => {
  const refusal = { status: 422, causes: [expect.stringContaining("another size than the announced 100")] };
  const { completion, deleted } = await completionOf("failed");
  await expect(completion).rejects.toMatchObject(refusal);
  expect(deleted).toEqual([upload.object_key]);
});
