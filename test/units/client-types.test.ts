import { join } from "node:path";
import { expect, test } from "vitest";
import { clientTypes } from "../support/client-types.ts";
import { serviceDocument } from "../support/document.ts";
import { CLIENT_TYPES, PROJECT_DIR } from "../support/structure.ts";

test("the typed client's types are those of the API document", async () => {
  await expect(await clientTypes(await serviceDocument())).toMatchFileSnapshot(
    join(PROJECT_DIR, CLIENT_TYPES),
  );
});
