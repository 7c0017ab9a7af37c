import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { requirePackage, succeeds } from "./debian.ts";
import { GENERATORS, installGenerators } from "./generators.ts";

const run = promisify(execFile);

const GENERATOR = join(GENERATORS, "node_modules/openapi-generator-plus/bin/ogplus.js");

/** Dates are texts, because Debian has no Jackson module for Java's own. */
const CONFIGURATION = `
inputPath: openapi.json
outputPath: client
generator: "${join(GENERATORS, "node_modules/@openapi-generator-plus/java-jaxrs-client-generator")}"
package: generated
useBeanValidation: false
dateImplementation: java.lang.String
dateTimeImplementation: java.lang.String
`;

/** A form for CXF's client alone, which Debian does not have. */
const FOR_CXF = "/uploads/companion/*/s3/form";

const JARS = [
  "commons-codec",
  "commons-io",
  "commons-logging",
  "geronimo-annotation-1.3-spec",
  "httpclient",
  "httpcore",
  "jackson-annotations",
  "jackson-core",
  "jackson-databind",
  "jackson-jaxrs-base",
  "jackson-jaxrs-json-provider",
  "jakarta.activation",
  "jaxb-api",
  "jaxrs-api",
  "jboss-logging",
  "resteasy-client",
  "resteasy-jaxrs",
];

const CLASSPATH = JARS.map((name) => `/usr/share/java/${name}.jar`).join(":");

export const requireJava = () =>
  requirePackage("default-jdk-headless", {
    purpose: "Java",
    isInstalled: () => succeeds("javac", "--version"),
  });

const requireResteasy = () =>
  requirePackage("libresteasy3.0-java", {
    purpose: "RESTEasy",
    isInstalled: async () => existsSync("/usr/share/java/resteasy-client.jar"),
  });

/** Generates a client in Java with OpenAPI Generator Plus and compiles it. Returns what runs `TypicalCalls` with it. */
export async function generateJavaClient(document: object, directory: string) {
  await Promise.all([installGenerators(), requireJava().then(requireResteasy)]);
  writeFileSync(join(directory, "openapi.json"), JSON.stringify(document));
  writeFileSync(join(directory, "configuration.yml"), CONFIGURATION);
  const asked = [GENERATOR, "-c", "configuration.yml", "--exclude-path", FOR_CXF];
  await run(process.execPath, asked, { cwd: directory, maxBuffer: 64 * 1024 * 1024 });
  // It only sets defaults, for modules of Jackson that Debian does not have.
  rmSync(join(directory, "client/generated/ApiProviders.java"));
  const sources = [...javaFiles(join(directory, "client")), ...javaFiles(join(GENERATORS, "java"))];
  writeFileSync(join(directory, "sources.txt"), sources.join("\n"));
  await run("javac", ["-proc:none", "-nowarn", "-cp", CLASSPATH, "-d", "classes", "@sources.txt"], {
    cwd: directory,
  });
  return async (...words: string[]) => {
    const { stdout } = await run("java", ["-cp", `classes:${CLASSPATH}`, "TypicalCalls", ...words], {
      cwd: directory,
    });
    return JSON.parse(stdout);
  };
}

const javaFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".java"))
    .map((name) => join(directory, name));
