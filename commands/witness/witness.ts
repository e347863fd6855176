import { createPrivateKey, generateKeyPairSync, hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addCheckpoint, type Split } from "#lib/log/add-checkpoint.ts";
import { claimedOrigin } from "#lib/log/checkpoints.ts";
import { noteKey, type NoteSigner, readNoteKey } from "#lib/log/notes.ts";
import { type Command, CommandFailed, interruptSignal, UsageError } from "../command.ts";
import { witnessServer } from "./serve.ts";
import { openState } from "./state.ts";

export const witness: Command = {
  usage: "NAME FOLDER [LOG-KEY …] [--listen HOST:PORT]",
  help: [
    "Cosigns the checkpoints of these logs (C2SP tlog-witness) as long as each continues the one before.",
    "NAME     its name, an address without https://, such as witness.example/second-site",
    "FOLDER   has its key, which is made at the first start, and the latest checkpoint of each log: losing it begins anew",
    "LOG-KEY  the key of a log; without any, the witness prints its own key and ends",
    "--listen by default 127.0.0.1:8091",
  ],
  options: { listen: { type: "string", default: "127.0.0.1:8091" } },
  async run({ values, positionals: [name, folder, ...texts] }) {
    if (name === undefined || folder === undefined) throw new UsageError("NAME or FOLDER is missing");
    const logs = texts.map((text) => {
      const key = readNoteKey(text);
      if (key?.kind !== "log") throw new UsageError(`this is no key of a log: ${text}`);
      return key;
    });
    const signer = openSigner(name, folder);
    console.log(`${signer.key.text}`);
    if (logs.length === 0) return;
    const state = openState(join(folder, "witness.db"));
    const onSplit = (split: Split) => reportSplit(split, folder);
    const server = witnessServer((body) => {
      const reply = addCheckpoint(body, { logs, signer, state, now: () => new Date(), onSplit });
      const origin = claimedOrigin(body.slice(body.indexOf("\n\n") + 2)).slice(0, 250);
      const { status } = reply;
      const reason = status === 200 ? "" : reply.body.trim();
      console.error(JSON.stringify({ time: new Date().toISOString(), origin, status, reason }));
      return reply;
    });
    const interrupted = interruptSignal();
    // Settings of a server are not read here: they would want its secrets.
    const address = URL.parse(`http://${String(values.listen)}`);
    if (!address?.port) throw new UsageError("--listen takes HOST:PORT");
    server.listen(Number(address.port), address.hostname.replace(/^\[(.*)\]$/, "$1"));
    await once(server, "listening").catch((error: Error) => {
      throw new CommandFailed(error.message);
    });
    console.log(`Listening on ${address.host}`);
    await once(interrupted, "abort");
    server.close();
    server.closeAllConnections();
    state.close();
  },
};

/** Says that a log lost or changed entries, and stores both of its notes: one file for each checkpoint and kind. */
export function reportSplit({ kind, before, after }: Split, folder: string) {
  const { origin, size } = before;
  const name = `${hash("sha256", origin).slice(0, 8)}-${size}-${kind.replace(" ", "-")}.txt`;
  const evidence = join(folder, name);
  try {
    writeFileSync(evidence, `${before.note}\n${after.note}`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const msg =
    kind === "same size" ? "the log has signed two checkpoints of one size" : "the log was not proved to continue";
  console.error(
    JSON.stringify({ level: 50, time: new Date().toISOString(), origin, size, after: after.size, evidence, msg }),
  );
}

/** The key of a witness, made once. Its folder and file are its owner's alone. */
function openSigner(name: string, folder: string): NoteSigner {
  const file = join(folder, "witness.pem");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A file of that name is whole: a killed process leaves the other one.
  const unfinished = `${file}.${randomUUID()}`;
  try {
    const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
    writeFileSync(unfinished, pem, { flag: "wx", mode: 0o600, flush: true });
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  const pem = readFileSync(file);
  try {
    const privateKey = createPrivateKey(pem);
    return { key: noteKey(name, "witness", privateKey), privateKey };
  } catch {
    throw new CommandFailed(
      `${file} is damaged or no key of Ed25519, or ${name} has a space or a plus. Take the file from a copy, or remove it for a new key.`,
    );
  }
}
