import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Prints the CycloneDX list of the packages that are shipped, by the lockfile (docs/running.md). `npm sbom --omit dev`
 * by itself leaves out what development needs as well, React for one, so it is given a lockfile without development.
 */

type Lock = { packages: Record<string, { dev?: boolean; devDependencies?: object }> };

const root = join(import.meta.dirname, "..");
const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8")) as unknown;
const scratch = mkdtempSync(join(tmpdir(), "sealdesk-sbom-"));
try {
  // By which npm names what it lists.
  const folder = join(scratch, "sealdesk");
  mkdirSync(folder);
  const { devDependencies: _, ...shipped } = read("package.json") as { devDependencies: object };
  const lock = read("package-lock.json") as Lock;
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev));
  delete packages[""]!.devDependencies;
  writeFileSync(join(folder, "package.json"), JSON.stringify(shipped));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
  copyFileSync(join(root, ".npmrc"), join(folder, ".npmrc"));
  const options = ["--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  execFileSync("npm", ["sbom", ...options], { cwd: folder, stdio: "inherit" });
} finally {
  rmSync(scratch, { recursive: true });
}
