/**
 * The script that sites include to steer embedded players: `SC.Widget(iframe)`, as it is known elsewhere. It is
 * loaded as a plain script, so all its names stay in one function.
 */
(() => {
  const VERSION = "1.0.0";

  const EVENTS = {
    LOAD_PROGRESS: "loadProgress",
    PLAY_PROGRESS: "playProgress",
    PLAY: "play",
    PAUSE: "pause",
    FINISH: "finish",
    SEEK: "seek",
    READY: "ready",
    OPEN_SHARE_PANEL: "sharePanelOpened",
    CLICK_DOWNLOAD: "downloadClicked",
    CLICK_BUY: "buyClicked",
    ERROR: "error",
  };
  const METHODS = ["play", "pause", "toggle", "seekTo", "setVolume", "next", "prev", "skip"];
  const GETTERS = [
    ...["getVolume", "getDuration", "getPosition", "getSounds"],
    ...["getCurrentSound", "getCurrentSoundIndex", "isPaused"],
  ];

  /** Players by their frame's element. */
  const players = new Map();
  /** Windows that were ready before anybody asked for their player. */
  const readyEarly = new WeakSet();

  const originOf = (frame) => new URL(frame.getAttribute("src") ?? "", document.baseURI).origin;
  const withoutScheme = (origin) => origin.replace(/^https?:/, "");

  /** The URL as it is, because callers add options and escapes to it themselves. */
  function addressOf(frame, url, options, load) {
    const base = new URL(frame.getAttribute("src") ?? "", document.baseURI);
    const chosen = Object.entries(options)
      .filter(([name, value]) => name !== "callback" && value !== undefined && value !== null)
      .map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return `${base.origin}${base.pathname}?url=${url.replaceAll("#", "%23")}${chosen.join("")}&load=${load}`;
  }

  class Player {
    #frame;
    #isReady;
    #loads = 0;
    /** The address that was loaded last. */
    #address;
    #whenLoaded;
    /** Calls that wait until the player is ready. */
    #waiting = [];
    #callbacks = new Map();

    constructor(frame) {
      this.#frame = frame;
      this.#isReady = readyEarly.has(frame.contentWindow);
      // A player that was ready before this script came says so again.
      if (!this.#isReady) this.#post("addEventListener", EVENTS.READY, "*");
    }

    #post(method, value, target = originOf(this.#frame)) {
      this.#frame.contentWindow?.postMessage(JSON.stringify({ method, value }), target);
    }

    #send(method, value) {
      if (this.#isReady) this.#post(method, value);
      else this.#waiting.push([method, value]);
    }

    #add(name, callback) {
      this.#callbacks.set(name, [...(this.#callbacks.get(name) ?? []), callback]);
    }

    #becomeReady(load) {
      // The frame's first page may come after all and take the place of the one that was loaded meanwhile.
      if (this.#loads > 0 && load !== String(this.#loads)) return this.#open();
      this.#isReady = true;
      // Each page of the frame listens anew, and answers what the one before it left open.
      const names = [...this.#callbacks.keys()];
      for (const name of names)
        if (!GETTERS.includes(name) && name !== EVENTS.READY) this.#post("addEventListener", name);
      const waiting = this.#waiting.splice(0);
      for (const [method, value] of waiting) this.#post(method, value);
      const asked = waiting.map(([method]) => method);
      for (const name of names) if (GETTERS.includes(name) && !asked.includes(name)) this.#post(name);
      const ready = this.#callbacks.get(EVENTS.READY) ?? [];
      this.#callbacks.delete(EVENTS.READY);
      for (const callback of ready) callback.call(this);
      const whenLoaded = this.#whenLoaded;
      this.#whenLoaded = undefined;
      whenLoaded?.call(this);
    }

    /** Receives a message of the frame. */
    hear({ method, value, load }) {
      if (method === EVENTS.READY) return this.#becomeReady(load);
      const callbacks = this.#callbacks.get(method) ?? [];
      if (GETTERS.includes(method)) this.#callbacks.delete(method);
      for (const callback of callbacks) callback.call(this, value);
    }

    bind(name, callback) {
      if (typeof callback !== "function") return this;
      if (name === EVENTS.READY && this.#isReady) setTimeout(() => callback.call(this), 1);
      else {
        this.#add(name, callback);
        if (name !== EVENTS.READY && this.#isReady) this.#post("addEventListener", name);
      }
      return this;
    }

    unbind(name) {
      this.#callbacks.delete(name);
      if (name !== EVENTS.READY && this.#isReady) this.#post("removeEventListener", name);
      return this;
    }

    load(url, options = {}) {
      if (!url) return this;
      this.#loads += 1;
      this.#isReady = false;
      this.#whenLoaded = typeof options.callback === "function" ? options.callback : undefined;
      this.#address = addressOf(this.#frame, String(url), options, this.#loads);
      this.#open();
      return this;
    }

    /** Adds no entry to the history of the page, unlike `src`. */
    #open() {
      this.#frame.contentWindow.location.replace(this.#address);
    }

    call(method, value) {
      this.#send(method, value);
      return this;
    }

    ask(getter, callback) {
      if (typeof callback !== "function") return this;
      this.#add(getter, callback);
      this.#send(getter);
      return this;
    }
  }

  /** The methods that people know, on one object for each frame. */
  function openWidget(frame) {
    const player = new Player(frame);
    const widget = {};
    for (const name of ["bind", "unbind", "load"])
      widget[name] = (...given) => {
        player[name](...given);
        return widget;
      };
    for (const name of METHODS)
      widget[name] = (value) => {
        player.call(name, value);
        return widget;
      };
    for (const name of GETTERS)
      widget[name] = (callback) => {
        player.ask(name, callback);
        return widget;
      };
    return { player, widget };
  }

  function Widget(frameOrId, url, options) {
    const frame = typeof frameOrId === "string" ? document.getElementById(frameOrId) : frameOrId;
    if (frame?.nodeName?.toUpperCase() !== "IFRAME")
      throw new Error("SC.Widget needs an iframe element, or the id of one.");
    const known = players.get(frame) ?? openWidget(frame);
    players.set(frame, known);
    if (url) known.player.load(url, options);
    return known.widget;
  }

  function parse(data) {
    try {
      const message = typeof data === "string" ? JSON.parse(data) : undefined;
      return typeof message?.method === "string" ? message : undefined;
    } catch {
      return undefined;
    }
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

  Widget.Events = EVENTS;
  Widget.version = VERSION;
  window.SC ??= {};
  window.SC.Widget = Widget;
})();
