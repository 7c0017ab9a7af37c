import { createClient, type StreamEvent } from "soundpost";

/** Prints the bodies of so many comments as they come, and ends. */
const [apiUrl = "", token = "", lastEventId, count = "1"] = process.argv.slice(2);
const events = createClient({ apiUrl, token }).events({ lastEventId });
const bodyOf = (event: StreamEvent) => (event.type === "comment.created" ? event.data.comment.body : "");
let taken = 0;
for await (const event of events) {
  console.log(JSON.stringify({ body: bodyOf(event), id: events.lastEventId }));
  if (++taken === Number(count)) break;
}
