import { readFile, stat } from "node:fs/promises";
import { offlineWords } from "#lib/messages/offline-words.ts";
import { typeName } from "#provider/contract/document-options.ts";
import { type Answer, answerOf } from "#lib/seal/offline-answer.ts";
import { checkOffline, type OfflineCheck } from "#lib/seal/offline-check.ts";
import { statedDigest } from "#lib/seal/sealed-digest.ts";
import type { Statement } from "#lib/seal/statement.ts";
import { type PublishedKey, readStatusList } from "#lib/seal/status-list.ts";
import { mebibytesInBytes, secondsInMs } from "#lib/units.ts";
import { checkBundle } from "./check-bundle.ts";
import { type Command, CommandFailed, requireArguments, UsageError } from "./command.ts";

export const checkCode: Command = {
  usage:
    "ADDRESS --keys FILE [--status FILE] [--file FILE] | --bundle FILE [--root FILE] [--log-key KEY] [--witness KEY …]",
  help: [
    "ADDRESS is the text of a signed QR code. Nothing is asked of a server or database.",
    "--keys    the saved /.well-known/jwks.json of the address; the file's time counts as when it was fetched",
    "--status  the saved status list that the key's status_list names: whether the document is still in force",
    "--file    a sealed PDF, to be compared with what the code says of it",
    "--bundle  a proof bundle: says what it proves, or why it does not; --root trusts the certificates in a PEM file alone,",
    "          --log-key a log's key alone, and each --witness has to have seen the log's entries",
    "The exit code is 0 for a bundle that proves all its documents, and a signed code whose document is in force by the list, by keys of a day at most; else 1.",
  ],
  options: {
    ...Object.fromEntries(
      ["keys", "status", "file", "bundle", "root", "log-key"].map((name) => [name, { type: "string" }]),
    ),
    witness: { type: "string", multiple: true },
  },
  async run(args) {
    const { keys: keysPath, status, file, bundle, root } = args.values as Record<string, string | undefined>;
    if (bundle !== undefined) {
      const { "log-key": logKey, witness: witnesses } = args.values as { "log-key"?: string; witness?: string[] };
      return checkBundle(bundle, { root, logKey, witnesses });
    }
    const [address] = requireArguments(args, "ADDRESS");
    if (keysPath === undefined) throw new UsageError("--keys is missing");
    const keys = await readKeys(keysPath);
    const list = status === undefined ? undefined : await readStatusList(await readText(status), keys);
    if (status !== undefined && !list) throw new CommandFailed(`${status} is no status list by one of these keys.`);
    const now = Math.floor(Date.now() / secondsInMs(1));
    const keysAt = Math.floor((await stat(keysPath)).mtimeMs / secondsInMs(1));
    const check = await checkOffline(address, { keys, lists: list ? [list] : [] }, now);
    const answer = answerOf(check, {
      now,
      keysAt,
      showDate: (date) => date,
      showInstant,
      typeName,
      words: offlineWords,
    });
    for (const line of linesOf(check, answer)) console.log(line);
    if (check.kind !== "signed" || check.statement === "newer") return 1;
    const isSameFile = file === undefined || (await compareFile(file, check.statement));
    return answer.isConfirmed && isSameFile ? 0 : 1;
  },
};

/** The largest saved file. */
const maxBytes = mebibytesInBytes(32);

async function readText(path: string): Promise<string> {
  if ((await stat(path)).size > maxBytes) throw new CommandFailed(`${path} is larger than 32 MB.`);
  return readFile(path, "utf8");
}

async function readKeys(path: string): Promise<PublishedKey[]> {
  const refused = new CommandFailed(`${path} is no JWK Set.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readText(path));
  } catch (error) {
    throw error instanceof SyntaxError ? refused : error;
  }
  const { keys } = (parsed ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw refused;
  return (keys as PublishedKey[]).filter((key) =>
    [key?.kid, key?.x, key?.y].every((value) => typeof value === "string"),
  );
}

function linesOf(check: OfflineCheck, { title, sentence, questions, facts }: Answer): string[] {
  const key: Answer["facts"] = check.kind === "signed" ? [["Key", check.kid]] : [];
  return [
    title,
    sentence,
    ...questions.map(({ question, answer }) => `${question} ${answer}`),
    ...[...facts, ...key].map(([name, value]) => `  ${name.padEnd(12)} ${value}`),
  ];
}

const showInstant = (seconds: number) =>
  `${new Date(seconds * secondsInMs(1)).toISOString().slice(0, 16).replace("T", " ")} UTC`;

async function compareFile(path: string, { digest }: Statement): Promise<boolean> {
  if (!digest) throw new CommandFailed("The code says nothing of the file.");
  const fileDigest = await statedDigest(path);
  const isSame = fileDigest !== undefined && Buffer.from(digest).equals(fileDigest);
  console.log(
    isSame ? "The file is the one that the code was made for." : "The file is not the one that the code was made for.",
  );
  return isSame;
}
