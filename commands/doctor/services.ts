import { randomBytes } from "node:crypto";
import { totalmem } from "node:os";
import { tokenOf } from "#lib/config.ts";
import { readKeyFile } from "#lib/seal/key-file.ts";
import { timeStamper } from "#lib/seal/time-stamps.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { hoursInMs, mebibytesInBytes, showBytes } from "#lib/units.ts";
import type { Tables } from "#provider/db/tables.ts";
import { witnessStates } from "#provider/log/cosign.ts";
import { checkSmtp } from "#provider/mail/mail.ts";
import { witnessesOf } from "#provider/open-services.ts";
import {
  activeKeys,
  canDecrypt,
  currentRoot,
  nextKeys,
  rootKey,
  RootKeyRemoved,
  type SealRootRow,
} from "#provider/seal/keys/stored-keys.ts";
import { faultsOfLists } from "#provider/seal/keys/revocation-lists.ts";
import { openToken } from "#provider/seal/keys/token.ts";
import { type Check, fail, ok, type StoresCheck, warn } from "./finding.ts";

export const mailCheck: Check = async ({ SMTP_URL, DATA_DIR, MAIL_FROM, PROVIDER_URL }) => {
  if (PROVIDER_URL) return undefined;
  if (!SMTP_URL) return warn(`no SMTP_URL: messages stay in ${DATA_DIR}/outbox`, "Set SMTP_URL and MAIL_FROM.");
  await checkSmtp(SMTP_URL);
  const detail = `${new URL(SMTP_URL).host} accepts connection and sign-in`;
  if (MAIL_FROM.includes("@localhost")) return warn(`${detail}; the sender is ${MAIL_FROM}`, "Set MAIL_FROM.");
  return ok(detail);
};

export const sealsCheck: StoresCheck = async ({ database }, settings) => {
  if (settings.PROVIDER_URL) return undefined;
  const { SEAL_KEY, SEAL_KEY_PASSPHRASE, SEAL_SECRET } = settings;
  const token = tokenOf(settings);
  if (SEAL_KEY) readKeyFile(SEAL_KEY, SEAL_KEY_PASSPHRASE, new Date());
  else if (token) await openToken(token);
  const db = database.tables<Tables>();
  const wrappingKeys = SEAL_SECRET.map(secretKey);
  const keys = [await activeKeys(db).selectAll().execute(), await nextKeys(db).selectAll().execute()].flat();
  const locked = keys.filter((key) => !canDecrypt(key, wrappingKeys));
  if (locked.length > 0) {
    return fail(
      `SEAL_SECRET does not decrypt ${locked.length} of ${keys.length} seal keys`,
      "Add the earlier SEAL_SECRET, or make new keys: seal-keys rotate --all --new-root.",
    );
  }
  const detail = detailOf(await currentRoot(db));
  const faults = await faultsOfLists({ db, now: () => new Date() });
  return faults.length > 0 ? warn([detail, ...faults].join("; "), "Sign it: seal-keys sign-list FILE.") : ok(detail);

  function detailOf(root: SealRootRow | undefined): string {
    try {
      if (root) rootKey(root, wrappingKeys);
    } catch (error) {
      if (!(error instanceof RootKeyRemoved)) throw error;
      return `${keys.length} seal keys can be decrypted; the root's is removed`;
    }
    return keys.length > 0 ? `${keys.length} seal keys and the root's can be decrypted` : "no seal keys yet";
  }
};

export const timeStampCheck: Check = async ({ TSA_URL }) => {
  if (TSA_URL.length === 0) return undefined;
  const failures: string[] = [];
  for (const url of TSA_URL) {
    const stamp = timeStamper([url], {
      onFailure: (error) => failures.push(`${new URL(url).host}: ${(error as Error).message}`),
    });
    await stamp(randomBytes(32));
  }
  if (failures.length === 0) return ok(`${TSA_URL.map((url) => new URL(url).host).join(", ")}: all stamp`);
  const isAll = failures.length === TSA_URL.length;
  const detail = `${failures.join("; ")}${isAll ? ": PDFs are sealed without a time stamp" : ""}`;
  return (isAll ? fail : warn)(detail, "Compare TSA_URL, and let the server out to it.");
};

const maxLagMs = hoursInMs(1);

export const witnessesCheck: StoresCheck = async ({ database }, settings) => {
  const witnesses = witnessesOf(settings);
  if (settings.PROVIDER_URL || witnesses.length === 0) return undefined;
  const states = await witnessStates({ db: database.tables<Tables>(), witnesses, now: () => new Date() });
  const detail = states.map(({ name, at }) => `${name}: last cosigned ${at?.toISOString() ?? "never"}`).join(", ");
  const late = states.filter(({ lagMs }) => lagMs > maxLagMs).map(({ name }) => name);
  if (late.length === 0) return ok(detail);
  return warn(`${detail}; ${late.join(", ")} lacks later entries`, "Is it reached, and has it the log’s key (/log)?");
};

const [least, enough] = [mebibytesInBytes(512), mebibytesInBytes(1024)];

export const memoryCheck: Check = async () => {
  // Without a limit it is 0, or more than there is.
  const limit = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const detail = `${showBytes(limit)} of memory`;
  if (limit < least) return fail(`${detail}: page work will be killed`, "Give each process 512 MB, better 1 GB.");
  return limit < enough ? warn(`${detail}: large pictures take long`, "Give each process 1 GB.") : ok(detail);
};
