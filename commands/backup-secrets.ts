import { readFileSync } from "node:fs";
import { config } from "#lib/config.ts";
import { usedFor } from "#provider/seal/keys/stored-keys.ts";
import { logKeyPurpose } from "#provider/log/origins.ts";
import { webhookKeyPurpose } from "#provider/webhooks/keys.ts";
import { clientSecretPurpose } from "#provider/single-sign-on/configuration.ts";
import { newSalt, passphraseKey, secretKey, unwrap, wrap, wrappedBy, type WrappingKey } from "#lib/seal/wrapping.ts";
import type { RowValues, Table } from "#lib/storage/database/rows.ts";
import { CommandFailed, UsageError } from "./command.ts";

/** Private keys of seals and webhooks, and client secrets, in backups: left out, or encrypted with a passphrase in place of SEAL_SECRET. */

/** Returns what replaces a secret that is encrypted for `use`; null leaves it out. */
export type ChangeSecret = (stored: string, use: string) => string | null;

type Row = Record<string, RowValues[number]>;

/** Tables with an encrypted column, and what a row's is encrypted for. */
const uses: Record<string, { column: string; use: (row: Row) => string }> = {
  seal_keys: { column: "private_key", use: ({ thumbprint }) => usedFor.key({ thumbprint: String(thumbprint) }) },
  seal_roots: { column: "private_key", use: ({ certificate }) => usedFor.root({ certificate: String(certificate) }) },
  webhook_keys: {
    column: "private_key",
    use: ({ public_key }) => webhookKeyPurpose({ public_key: String(public_key) }),
  },
  log_origins: { column: "private_key", use: ({ public_key }) => logKeyPurpose({ public_key: String(public_key) }) },
  identity_providers: {
    column: "client_secret",
    use: ({ company_id }) => clientSecretPurpose({ company_id: Number(company_id) }),
  },
};

/** A table's rows with their secrets changed. */
export function withSecrets(
  { name, columns }: Pick<Table, "name" | "columns">,
  rows: RowValues[],
  change: ChangeSecret,
) {
  const encrypted = uses[name];
  if (!encrypted) return rows;
  const at = columns.indexOf(encrypted.column);
  return rows.map((values) => {
    const stored = values[at];
    if (typeof stored !== "string") return values;
    const row = Object.fromEntries(columns.map((column, n) => [column, values[n]!]));
    return values.with(at, change(stored, readUse(encrypted.use, row)));
  });
}

/** Certificates of a forged backup may be none. */
function readUse(use: (row: Row) => string, row: Row) {
  try {
    return use(row);
  } catch (error) {
    throw new CommandFailed("The backup is damaged.", { cause: error });
  }
}

const shortestPassphrase = 12;

/** The passphrase in a file. Throws `UsageError` if it is too short or too long. */
export function readPassphrase(file: string) {
  const passphrase = readFileSync(file, "utf8").trim();
  if (passphrase.length < shortestPassphrase || passphrase.length > 1024) {
    throw new UsageError(`${file} must have a passphrase of ${shortestPassphrase} to 1024 characters`);
  }
  return passphrase;
}

const secretKeys = () => config().SEAL_SECRET.map(secretKey);

/** Leaves secrets out, or encrypts them with the passphrase in a file. */
export function secretsForBackup(file: string | undefined): ChangeSecret {
  if (file === undefined) return () => null;
  const key = passphraseKey(readPassphrase(file), newSalt());
  return rewrapping(
    () => secretKeys(),
    key,
    "The private keys and client secrets can't be decrypted with this SEAL_SECRET. Back up without --with-keys.",
  );
}

/** Encrypts the secrets of a backup with SEAL_SECRET, or leaves them out. */
export function secretsForRestore(values: Record<string, string | boolean | undefined>): ChangeSecret {
  const { "with-keys": file, "without-keys": isWithout } = values;
  if (file !== undefined && isWithout) throw new UsageError("give either --with-keys or --without-keys");
  if (isWithout) return () => null;
  if (typeof file !== "string") {
    return () => {
      throw new CommandFailed(
        "The backup has private keys or client secrets: give the file with their passphrase by --with-keys, or leave them out by --without-keys.",
      );
    };
  }
  const passphrase = readPassphrase(file);
  let key: WrappingKey | undefined;
  // Deriving a key takes half a second: a backup has one salt.
  const keyOf = (stored: string) => (key ??= passphraseKey(passphrase, wrappedBy(stored)?.slice(1) ?? ""));
  return rewrapping(
    (stored) => [keyOf(stored)],
    secretKeys()[0]!,
    "The passphrase does not decrypt the backup's private keys and client secrets.",
  );
}

const rewrapping =
  (from: (stored: string) => WrappingKey[], to: WrappingKey, refusal: string): ChangeSecret =>
  (stored, use) => {
    const key = unwrap(stored, from(stored), use);
    if (!key) throw new CommandFailed(refusal);
    return wrap(key, to, use);
  };
