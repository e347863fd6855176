import { spawnSync } from "node:child_process";
import packageFile from "../package.json" with { type: "json" };

/** `npm run check`: runs the scripts `check:*` in their order, quick ones first, and ends at the first that fails. */
for (const [name, command] of Object.entries(packageFile.scripts)) {
  if (!name.startsWith("check:")) continue;
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: "utf8" });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}\nnpm run ${name} failed: ${command}\n`);
    process.exit(1);
  }
  if (name === "check:lines") process.stdout.write(stdout);
  process.stdout.write(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
