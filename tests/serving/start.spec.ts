import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { childrenOf, startServer, until } from "../support/server.ts";
import { expect, test } from "../support/serving.ts";

/** The built files that a server loads as it starts, with their code, and the packages that they import. */
function loadedAtStart() {
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const load = (file: string) => {
    if (files.has(file)) return;
    const code = readFileSync(file, "utf8");
    files.set(file, code);
    for (const [, name] of code.matchAll(/^(?:import|export)\b[^;"]*"([^"]+)";/gm)) {
      if (name!.startsWith(".")) load(join(dirname(file), name!));
      else packages.add(name!);
    }
  };
  load("build/server/index.js");
  return { files, packages };
}

test("a server starts without the packages that few servers or pages need", () => {
  const { files, packages } = loadedAtStart();
  expect([...packages]).toContain("better-sqlite3");
  expect(packages).not.toContain("@cantoo/pdf-lib");
  expect(packages).not.toContain("@simplewebauthn/server");
  expect(packages).not.toContain("pg");
  expect(packages).not.toContain("nodemailer");
  // Nodemailer, which is bundled.
  expect([...files.values()].some((code) => code.includes("STARTTLS"))).toBe(false);
});

test("the programs of a server's processes and threads are where it looks for them", () => {
  const programs = [...loadedAtStart().files].flatMap(([file, code]) =>
    [...code.matchAll(/"(\.\/[\w-]+\.js)", import\.meta\.url/g)].map(([, name]) => join(dirname(file), name!)),
  );
  expect(programs.length).toBe(3);
  expect(programs.filter((program) => !existsSync(program))).toEqual([]);
});

test("a server has a process for page work before the first page needs it", async () => {
  const server = await startServer();
  const names = () => childrenOf(server.process.pid!).map((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim());
  try {
    // Linux keeps fifteen characters of a name.
    await until(() => names().includes("sealdesk page w"));
  } finally {
    await server.stop();
  }
});
