import { spawnSync } from "node:child_process";

/** Programs that tests run where they are installed, by Debian's packages. */
const PACKAGES = {
  "gst-launch-1.0": [
    "gstreamer1.0-tools",
    ...["base", "good", "bad"].map((kind) => `gstreamer1.0-plugins-${kind}`),
    "gstreamer1.0-libav",
  ],
  sox: ["sox", "libsox-fmt-all"],
};

/** Arguments of a test's `skip`: whether the program is missing, and the command that installs it. */
export function missing(program: keyof typeof PACKAGES): [boolean, string] {
  const { status } = spawnSync("sh", ["-c", `command -v ${program}`]);
  return [status !== 0, `needs: apt-get install ${PACKAGES[program].join(" ")}`];
}
