import { readFile, stat } from "node:fs/promises";
import { documentTypes } from "#provider/contract/document-options.ts";
import { checkOffline, type InForce, type OfflineCheck } from "#seal/offline-check.ts";
import { statedDigest } from "#seal/sealed-digest.ts";
import type { Statement } from "#seal/statement.ts";
import { type PublishedKey, readStatusList } from "#seal/status-list.ts";
import { daysInSeconds, mebibytesInBytes, secondsInMs } from "#units";
import { type Command, CommandFailed, requireArguments, UsageError } from "./command.ts";

export const checkCode: Command = {
  usage: "ADDRESS --keys FILE [--status FILE] [--file FILE]",
  help: [
    "ADDRESS is the text of a signed QR code. Nothing is asked of a server or database.",
    "--keys    the saved /.well-known/jwks.json of the address",
    "--status  the saved status list that the key's status_list names: whether the document is still in force",
    "--file    a sealed PDF, to be compared with what the code says of it",
    "The exit code is 0 for a signed code whose document is in force by the list; else 1.",
  ],
  options: { keys: { type: "string" }, status: { type: "string" }, file: { type: "string" } },
  async run(given) {
    const [address] = requireArguments(given, "ADDRESS");
    const { keys: keysPath, status, file } = given.values as Record<string, string | undefined>;
    if (keysPath === undefined) throw new UsageError("--keys is missing");
    const keys = await readKeys(keysPath);
    const list = status === undefined ? undefined : await readStatusList(await readText(status), keys);
    if (status !== undefined && !list) throw new CommandFailed(`${status} is no status list by one of these keys.`);
    const now = Math.floor(Date.now() / secondsInMs(1));
    const check = await checkOffline(address, { keys, lists: list ? [list] : [] }, now);
    for (const line of linesOf(check, now)) console.log(line);
    if (check.kind !== "signed" || check.statement === "newer") return 1;
    const isSameFile = file === undefined || (await compareFile(file, check.statement));
    return check.inForce === "yes" && isSameFile ? 0 : 1;
  },
};

/** What a saved file may have. */
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

const said = {
  "no address": "This is not the address of a document's check.",
  plain: "This code is not signed: only its address can say more.",
  unreadable: "The digits are incomplete or were mistyped: scan the code again.",
  "unknown key": "Signed with a key that is not in the saved keys: fetch them again, or do not rely on the paper.",
  altered: "This code was altered: its signature is wrong. Do not rely on the paper.",
} as const;

function linesOf(check: OfflineCheck, now: number): string[] {
  if (check.kind === "revoked key") {
    return [
      `Signed with a key${ofCompany(check.company)} that was revoked on ${dateOf(check.revokedAt)}.`,
      "Whoever has that key may have made this code: open its address.",
    ];
  }
  if (check.kind !== "signed") return [said[check.kind]];
  const { company, kid, statement, inForce, listedAt } = check;
  const signed = `Issued by this company? Signed with a key${ofCompany(company)}, ${kid}.`;
  const since = listedAt === undefined ? "" : ` by the list of ${instantOf(listedAt)}`;
  if (statement === "newer") return [signed, "What it says is in a newer form than this program can read."];
  return [
    signed,
    `In force today? ${inForceWords[inForce]}${since}.`,
    "Is it this paper? Compare:",
    ...statedLines(statement),
    ...(statement.date * daysInSeconds(1) > now ? ["  The date lies in the future."] : []),
    "A photocopy has the same code.",
  ];
}

const inForceWords: Record<InForce, string> = {
  yes: "Yes,",
  no: "No, it was withdrawn or has expired",
  past: "No, its last day as printed has passed; it may have been prolonged since: open the address",
  "ask online": "Unknown: open the address",
  unknown: "Unknown: there is no list for it that is still good",
};

const ofCompany = (company: string) => (company ? ` of ${company}` : "");

const statedLines = ({ number, type, date, lastDay, pages, copy, of }: Statement) => [
  `  number     ${typeof number === "string" ? number : "longer than a code has room for"}`,
  `  type       ${Object.keys(documentTypes)[type - 1] ?? "of a later version"}`,
  `  date       ${dateOf(date * daysInSeconds(1))}`,
  `  last day   ${lastDay === null ? "none" : dateOf(lastDay * daysInSeconds(1))}`,
  `  pages      ${pages}`,
  `  copy       ${copy} of ${of}`,
];

const instantOf = (seconds: number) => new Date(seconds * secondsInMs(1)).toISOString().slice(0, 16).replace("T", " ");
const dateOf = (seconds: number) => instantOf(seconds).slice(0, 10);

async function compareFile(path: string, { digest }: Statement): Promise<boolean> {
  if (!digest) throw new CommandFailed("The code says nothing of the file.");
  const found = await statedDigest(path);
  const isSame = found !== undefined && Buffer.from(digest).equals(found);
  console.log(
    isSame ? "The file is the one that the code was made for." : "The file is not the one that the code was made for.",
  );
  return isSame;
}
