import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { listenForWorker } from "../../workers/local/worker/loopback.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { openCuttingProxy } from "../clients/cut-streams.support.ts";
import { type Installed, installClient } from "../clients/typed-client.support.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createTrack } from "../support/tracks.ts";
import { launchBrowser } from "./browser.ts";

const browser = launchBrowser();
let installed: Installed;

beforeAll(async () => {
  installed = await installClient();
});
afterAll(() => installed.remove());

/** Serves a page of another site, which loads the package's files as they are. */
async function serveApp(script: string): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    if (!/^\/[\w-]+\.js$/.test(url))
      return void response
        .setHeader("Content-Type", "text/html")
        .end(
          `<!doctype html><link rel="icon" href="data:,"><ol></ol><script type="module">${script}</script>`,
        );
    const file = readFileSync(join(installed.directory, "node_modules/soundpost", url));
    response.setHeader("Content-Type", "text/javascript").end(file);
  });
  const port = await listenForWorker(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/`;
}

test("a page of another site follows events across broken connections, and leaves the loop", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const track = await createTrack(ana);
  const proxy = await openCuttingProxy(stack.urls.api, (nth) => 1_200 + ((nth * 397) % 2_300));
  const options = JSON.stringify({ apiUrl: proxy.url, token: ana.token });
  const page = await browser.visit(
    await serveApp(`
      import { createClient } from "/index.js";
      const add = (text) => {
        const item = document.createElement("li");
        item.textContent = text;
        document.querySelector("ol").append(item);
      };
      const events = createClient(${options}).events();
      const opening = setInterval(() => {
        if (events.lastEventId === undefined) return;
        clearInterval(opening);
        add("open");
      }, 20);
      for await (const { data } of events) {
        add(data.comment.body);
        if (data.comment.body === "8") break;
      }
      add("over");`),
  );
  const items = page.page.locator("li");
  await expect.poll(() => items.allTextContents()).toEqual(["open"]);
  const numbers = Array.from({ length: 8 }, (_, nth) => String(nth + 1));
  for (const body of numbers) await createComment(ben, track, { body });
  await expect.poll(() => items.allTextContents()).toEqual(["open", ...numbers, "over"]);
  expect(proxy.connections()).toBeGreaterThan(2);
});
