import { createPrivateKey, sign } from "node:crypto";
import { allowedKinds, isAllowed, type OperatorKey, OperatorKeyRefused, readChain } from "./operator-key.ts";

const longestFile = 200_000;

const setting = "SEAL_KEY_FILE";
const refuse = (reason: string, options?: ErrorOptions) => new OperatorKeyRefused(setting, reason, options);

/** Reads a PEM file with a private key and its certificates in any order. Throws `OperatorKeyRefused`. */
export function readKeyFile(pem: string, passphrase: string | undefined, now: Date): OperatorKey {
  if (pem.length > longestFile) throw refuse("the file is too long for a key and its certificates");
  const privateKey = readPrivateKey(pem, passphrase);
  const chain = readChain(pem, {
    setting,
    owner: "its private key",
    belongs: (certificate) => certificate.checkPrivateKey(privateKey),
    now,
  });
  return { chain, signFile: async (bytes) => sign("sha256", bytes, privateKey) };
}

function readPrivateKey(pem: string, passphrase: string | undefined) {
  // Traditional keys have headers with dashes.
  const [key, another] = pem.match(/-----BEGIN ((?:\w+ )?PRIVATE KEY)-----[^]+?-----END \1-----/g) ?? [];
  if (!key) throw refuse("there is no private key in it (BEGIN PRIVATE KEY)");
  if (another) throw refuse("there are several private keys in it: leave one");
  const privateKey = decrypted(key, passphrase);
  if (!isAllowed(privateKey)) throw refuse(allowedKinds);
  return privateKey;
}

function decrypted(key: string, passphrase: string | undefined) {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const isEncrypted = /ENCRYPTED/.test(key);
    if (!isEncrypted) throw refuse("its private key can't be read", { cause: error });
    throw refuse(
      passphrase === undefined
        ? "its private key is encrypted: give SEAL_KEY_PASSPHRASE"
        : "SEAL_KEY_PASSPHRASE does not decrypt its private key",
    );
  }
}
