import "./player.client.js";

/** Options of the embedding page. */
const { color, autoPlay } = document.body.dataset;

if (color) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  // Whether black contrasts better with it than white.
  const isLight = red * 0.299 + green * 0.587 + blue * 0.114 > 150;
  document.documentElement.style.setProperty("--accent", color);
  document.documentElement.style.setProperty("--on-accent", isLight ? "#000000" : "#ffffff");
}

if (autoPlay) document.querySelector("button.play").click();
