import { EVENTS, GETTERS, METHODS, parse } from "./widget-messages.ts";
import { originOf, Player } from "./widget-player.ts";

/**
 * The script that sites include to steer embedded players: `SC.Widget(iframe)`, as it is known elsewhere.
 */

const VERSION = "1.0.0";

/** Each method returns the widget. */
interface Widget {
  [method: string]: (...values: unknown[]) => Widget;
}

declare global {
  interface Window {
    SC?: { Widget?: typeof widgetOf };
  }
}

/** Players by their frame's element. */
const players = new Map<HTMLIFrameElement, { player: Player; widget: Widget }>();
/** Windows that were ready before anybody asked for their player. */
const readyEarly = new WeakSet<MessageEventSource>();

const withoutScheme = (origin: string) => origin.replace(/^https?:/, "");

/** The methods that people know, on one object for each frame. */
function openWidget(frame: HTMLIFrameElement) {
  const inner = frame.contentWindow;
  const player = new Player(frame, inner !== null && readyEarly.has(inner));
  const widget: Widget = {};
  const add = (name: string, act: (...values: unknown[]) => void) => {
    widget[name] = (...values) => {
      act(...values);
      return widget;
    };
  };
  add("bind", (name, callback) => player.bind(String(name), callback));
  add("unbind", (name) => player.unbind(String(name)));
  add("load", (url, options) => player.load(url, Object(options)));
  for (const name of METHODS) add(name, (value) => player.call(name, value));
  for (const name of GETTERS) add(name, (callback) => player.ask(name, callback));
  return { player, widget };
}

/** Not by class: the element may be another window's. */
const isFrame = (node: Node | null): node is HTMLIFrameElement => node?.nodeName?.toUpperCase() === "IFRAME";

function widgetOf(frameOrId: string | Node | null, url?: unknown, options?: object): Widget {
  const frame = typeof frameOrId === "string" ? document.getElementById(frameOrId) : frameOrId;
  if (!isFrame(frame)) throw new Error("SC.Widget needs an iframe element, or the id of one.");
  const known = players.get(frame) ?? openWidget(frame);
  players.set(frame, known);
  if (url) known.player.load(url, options);
  return known.widget;
}

addEventListener("message", ({ source, origin, data }) => {
  const message = parse(data);
  if (!message) return;
  for (const [frame, { player }] of players) {
    if (frame.contentWindow !== source) continue;
    if (withoutScheme(originOf(frame)) === withoutScheme(origin)) player.hear(message);
    return;
  }
  if (message.method === EVENTS.READY && source) readyEarly.add(source);
});

window.SC ??= {};
window.SC.Widget = Object.assign(widgetOf, { Events: EVENTS, version: VERSION });
