import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, suite, test } from "vitest";
import { hasCryptography, without } from "#tests/fixtures/pdf-programs.ts";
import { checkOffline } from "../offline-check.ts";
import { type PublishedKey, readStatusList } from "../status-list.ts";
import { verifySeal } from "../verify-seal.ts";
import { verifyProof } from "../../log/verify-proof.ts";
import codes from "./codes.json" with { type: "json" };
import proofs from "./log-proofs.json" with { type: "json" };
import seals from "./seals.json" with { type: "json" };
import lists from "./status-lists.json" with { type: "json" };

/** The test vectors of docs/seal-format.md, by our own code and by verifiers in other languages with other libraries. */

const directory = mkdtempSync(join(tmpdir(), "sealdesk-format-"));
afterAll(() => rmSync(directory, { recursive: true }));

const all = [...codes.cases, ...lists.cases, ...seals.cases, ...proofs.cases];
const expected = Object.fromEntries(all.map(({ id, result }) => [id, result]));
const files = ["codes", "status-lists", "seals", "log-proofs"].map((name) => join(import.meta.dirname, `${name}.json`));

suite("Each test vector has its result by our own code", () => {
  const codeKinds: Record<string, string> = {
    "no address": "unreadable",
    plain: "unreadable",
    "other address": "unknown key",
    signed: "genuine",
  };

  test.each(codes.cases)("$id: $rule, $name", async ({ code, result }) => {
    const check = await checkOffline(code, { keys: codes.shared.keys as PublishedKey[], lists: [] }, 0);
    const isNewer = check.kind === "signed" && check.statement === "newer";
    expect(isNewer ? "newer" : (codeKinds[check.kind] ?? check.kind)).toBe(result);
  });

  const answers: Record<string, string> = { yes: "in force", no: "ended", unknown: "outdated" };

  test.each(lists.cases)("$id: $rule, $name", async (one) => {
    const { code, now, list: token, keys: saved } = { ...lists.shared, ...one };
    const keys = saved as PublishedKey[];
    const list = await readStatusList(token, keys);
    const check = list && (await checkOffline(code, { keys, lists: [list] }, now));
    const inForce = check?.kind === "signed" && check.listedAt !== undefined ? check.inForce : "no list";
    expect(answers[inForce] ?? inForce).toBe(one.result);
  });

  test.each(seals.cases)("$id: $rule, $name", async (one) => {
    const { pdf, digest, root, edits = [] } = { ...seals.shared, edits: undefined, ...one };
    const path = join(directory, `${one.id}.pdf`);
    let text = Buffer.from(pdf, "base64").toString("latin1");
    for (const edit of edits) text = text.slice(0, edit.at) + edit.text + text.slice(edit.at + edit.text.length);
    writeFileSync(path, text, "latin1");
    const seal = await verifySeal(path, [new X509Certificate(Buffer.from(root, "base64"))]);
    const isOther = seal.result === "valid" && seal.digest !== digest;
    expect(isOther ? "another file" : seal.result).toBe(one.result);
  });
});

test.each(proofs.cases)("Our own code has the result of $id: $rule, $name", (one) => {
  const { proof, key, code, witnesses } = { ...proofs.shared, witnesses: undefined, ...one };
  const result = verifyProof(proof, key, code, witnesses);
  const seen = result.result === "entered" && witnesses ? `, seen by ${result.seen.length}` : "";
  expect(result.result + seen).toBe(one.result);
});

const resultsIn = (output: string) =>
  Object.fromEntries(
    output
      .trim()
      .split("\n")
      .map((line) => line.split("\t")),
  ) as Record<string, string>;

test.skipIf(!hasCryptography)("Python has the same results", () => {
  const run = (program: string, paths: string[]) =>
    execFileSync("python3", [join(import.meta.dirname, program), "vectors", ...paths], { encoding: "utf8" });
  const output =
    run("verify_code.py", files.slice(0, 2)) +
    run("verify_seal.py", files.slice(2, 3)) +
    run("verify_log.py", files.slice(3));
  expect(resultsIn(output)).toEqual(expected);
});

// Debian: golang-go
test.skipIf(without("go"))("Go has the same results", () => {
  const sources = ["verify.go", "verify_code.go", "verify_list.go", "verify_seal.go", "verify_log.go"];
  const program = join(directory, "verify");
  const settings = [`GOCACHE=${join(directory, "go")}`, "GOFLAGS=", "GO111MODULE=off"];
  execFileSync("env", [...settings, "go", "build", "-o", program, ...sources], { cwd: import.meta.dirname });
  expect(resultsIn(execFileSync(program, ["vectors", ...files], { encoding: "utf8" }))).toEqual(expected);
});

/** What issuers do, and what needs more than one input. */
const withoutVectors = [
  "SF-10",
  "SF-11",
  "SF-12",
  "SF-47",
  "SF-48",
  "SF-60",
  "SF-61",
  "SF-62",
  "SF-63",
  "SF-64",
  "SF-88",
];

test("Each rule has a vector, and each vector a rule", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs/seal-format.md"), "utf8");
  const rules = [...text.matchAll(/^- \*\*(SF-\d+)\*\*/gm)].map(([, rule]) => rule!);
  expect(new Set(rules).size).toBe(rules.length);
  const withVectors = new Set(all.map(({ rule }) => rule));
  expect([...withVectors, ...withoutVectors].toSorted()).toEqual(rules.toSorted());
});

test("Each verifier is short enough to be read before it is trusted", () => {
  for (const name of readdirSync(import.meta.dirname).filter((one) => one.startsWith("verify")))
    expect(readFileSync(join(import.meta.dirname, name), "utf8").split("\n").length, name).toBeLessThan(150);
});

test.skipIf(without("go"))("Go says so by the commands of docs/verifying.md", () => {
  const repository = join(import.meta.dirname, "..", "..", "..");
  const manual = readFileSync(join(repository, "docs/verifying.md"), "utf8");
  const [commands] = /^ {4}export GO111MODULE[^]*?list\.jwt$/m.exec(manual)!;
  symlinkSync(join(repository, "lib"), join(directory, "lib"));
  const inForce = { ...lists.shared, ...lists.cases.find(({ result }) => result === "in force")! };
  for (const [name, content] of Object.entries({
    "sealed.pdf": Buffer.from(seals.shared.pdf, "base64"),
    "sealdesk-root.pem": new X509Certificate(Buffer.from(seals.shared.root, "base64")).toString(),
    "jwks.json": JSON.stringify({ keys: inForce.keys }),
    "list.jwt": inForce.list,
  }))
    writeFileSync(join(directory, name), content);
  const run = (address: string) =>
    spawnSync("sh", ["-ec", commands.replace("ADDRESS", address)], { cwd: directory, encoding: "utf8" }).stdout;
  expect(run(inForce.code)).toMatch(/^valid: sealed by .*\ngenuine: .*\nin force at .*\n$/);
  expect(run(inForce.code.replace("/v/4", "/v/5"))).toMatch(/^valid: .*\nrefused: altered\n$/);
});
