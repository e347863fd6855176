import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  exportRoot,
  removeRootKey,
  requireRootKey,
  returnRootKey,
  signRevocationList,
} from "#provider/seal/keys/root-key.ts";
import type { Sealing } from "#provider/seal/keys/stored-keys.ts";
import { CommandFailed, UsageError } from "./command.ts";
import { readPassphrase } from "./backup-secrets.ts";

/** The root's private key in a file of the operator's: exported, removed from the server, returned. */

const acts: Record<string, (services: Sealing, path: string, passphrase: string) => Promise<void>> = {
  async "export-root"(services, path, passphrase) {
    const pem = await exportRoot(services, passphrase);
    await createFile(path, pem, () => requireRootKey(services, { pem: readPem(path), passphrase }));
    console.log(`The root's private key and certificate are in ${path}, and still on this server.`);
    console.log("Store that file and its passphrase elsewhere, then: seal-keys remove-root FILE");
  },
  async "remove-root"(services, path, passphrase) {
    await removeRootKey(services, { pem: readPem(path), passphrase });
    console.log("The root's private key is removed: companies that have a key go on sealing.");
    console.log("New keys need it. Return it with: seal-keys return-root FILE");
  },
  async "sign-list"(services, path, passphrase) {
    const until = await signRevocationList(services, { pem: readPem(path), passphrase });
    console.log(`The revocation list has all revoked keys, and is good until ${until.toISOString().slice(0, 10)}.`);
  },
  async "return-root"(services, path, passphrase) {
    await returnRootKey(services, { pem: readPem(path), passphrase });
    console.log("The root's private key is on this server again.");
  },
};

export const rootActions = Object.keys(acts);

/** Runs one of `rootActions` with a file. Throws `UsageError`. */
export function rootAction(name: string, path: string | undefined, passphraseFile: unknown) {
  if (path === undefined) throw new UsageError("FILE is missing");
  if (typeof passphraseFile !== "string") throw new UsageError("--passphrase is missing");
  const passphrase = readPassphrase(passphraseFile);
  return (services: Sealing) => acts[name]!(services, path, passphrase);
}

const maxBytes = 100_000;

function readPem(path: string): string {
  if (statSync(path).size > maxBytes) throw new CommandFailed(`${path} is too large for a root's private key.`);
  return readFileSync(path, "utf8");
}

/** Writes a file that only its owner can read, and removes it again if `check` throws. */
async function createFile(path: string, content: string, check: () => Promise<void>) {
  const file = openNew(path);
  try {
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    await check();
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw exists ? new CommandFailed(`${path} already exists: choose another name.`) : error;
  }
}

function syncFolder(path: string) {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}
