import { readFileSync } from "node:fs";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** Prints what Spectral's rules for OpenAPI find in the document whose path is given. */
const linter = new spectral.Spectral();
linter.setRuleset({ extends: [rulesets.oas] });
const found = await linter.run(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
console.log(JSON.stringify(found.map(({ code, path }) => `${code} ${path.join("/")}`)));
