import { config } from "#lib/config.ts";
import { type RevocationReason, revocationReasons } from "#provider/contract/seal-keys.ts";
import { migrations } from "#provider/db/migrations.ts";
import type { Tables } from "#provider/db/tables.ts";
import { HttpError } from "#provider/http/errors.ts";
import { revokeAsOperator, rotateAsOperator } from "#provider/seal/keys/change-seal-keys.ts";
import { keyReply } from "#provider/seal/keys/public-keys.ts";
import { RootFileRefused } from "#provider/seal/keys/root-key.ts";
import { faultsOfLists, retireRoot } from "#provider/seal/keys/revocation-lists.ts";
import { activeKeys, currentRoot, SealKeysLocked, type Sealing } from "#provider/seal/keys/stored-keys.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { type Arguments, type Command, CommandFailed, UsageError } from "./command.ts";
import { rootAction, rootActions } from "./root-key.ts";
import { migrationLog, withStores } from "./stores.ts";

export const sealKeys: Command = {
  usage:
    "list | rotate (--company ID | --all) [--new-root] [--now] | revoke KEY --reason REASON | (export-root | remove-root | return-root | sign-list) FILE --passphrase PASSPHRASE_FILE",
  help: [
    "list shows the keys of all companies, rotate makes new ones, and revoke ends one that others may have.",
    "A new key is published for a day before it signs; --now uses it at once. Until then the earlier one signs.",
    "--new-root makes a new root certificate first, for example where SEAL_SECRET was lost.",
    "export-root writes the root's private key to FILE, encrypted with the passphrase in PASSPHRASE_FILE; remove-root",
    "removes from the server what FILE has, and return-root brings it back when a company needs a new key. sign-list",
    "signs the revocation list with FILE, without storing the key.",
    `KEY is as list shows it. REASON is ${revocationReasons.join(", ")}; it is published.`,
  ],
  options: {
    company: { type: "string" },
    all: { type: "boolean" },
    "new-root": { type: "boolean" },
    now: { type: "boolean" },
    reason: { type: "string" },
    passphrase: { type: "string" },
  },
  async run(args) {
    const act = actionOf(args);
    const { PROVIDER_URL, PUBLIC_URL, SEAL_SECRET } = config();
    if (PROVIDER_URL) throw new CommandFailed("PROVIDER_URL is set: seal keys are that provider's.");
    await withStores({ alongside: true }, async ({ database }) => {
      await database.migrate("provider", migrations, migrationLog);
      const seals = { wrappingKeys: SEAL_SECRET.map(secretKey) };
      const services = { db: database.tables<Tables>(), seals, publicUrl: PUBLIC_URL, now: () => new Date() };
      await act(services).catch(asCommandFailure);
    });
  },
};

function asCommandFailure(error: unknown): never {
  const isExplained = [SealKeysLocked, RootFileRefused, HttpError].some((kind) => error instanceof kind);
  throw isExplained ? new CommandFailed(`${(error as Error).message}.`) : error;
}

/** The action that the arguments name. Throws `UsageError`. */
function actionOf({ values, positionals }: Arguments): (services: Sealing) => Promise<void> {
  const [name, key, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`unexpected argument: ${more[0]}`);
  if (name === "revoke") return revocation(key, values.reason);
  if (rootActions.includes(name ?? "")) return rootAction(name!, key, values.passphrase);
  if (key !== undefined) throw new UsageError(`unexpected argument: ${key}`);
  if (name === "list") return list;
  if (name !== "rotate")
    throw new UsageError(`${name === undefined ? "list, rotate, revoke or another action is missing" : name}`);
  const { company, all } = values;
  if (Boolean(all) === (company !== undefined)) throw new UsageError("give either --company or --all");
  if (company !== undefined && !/^\d{1,9}$/.test(String(company))) throw new UsageError("--company is a number");
  const how = { isNewRoot: values["new-root"] === true, atOnce: values.now === true };
  return (services) => rotate(services, all ? undefined : Number(company), how);
}

async function list({ db }: Sealing) {
  const keys = db.selectFrom("seal_keys").innerJoin("companies", "companies.id", "seal_keys.company_id");
  const rows = await keys.selectAll("seal_keys").select("companies.name").orderBy("company_id").orderBy("id").execute();
  if (rows.length === 0) console.log("There are no seal keys yet: they are made with the first seals.");
  for (const { name, company_id, ...row } of rows) {
    const { short_id, state, since, fingerprint } = keyReply(row);
    console.log(`${short_id}  ${state.padEnd(8)}${since}  company ${company_id} (${name})  ${fingerprint}`);
  }
  if (!(await isRootKeyHere(db))) console.log("The root's private key is not on this server: new keys need it.");
  await printFaults(db);
}

async function printFaults(db: Sealing["db"]) {
  for (const fault of await faultsOfLists({ db, now: () => new Date() }))
    console.log(`A root's private key is needed, as ${fault}: seal-keys sign-list FILE`);
}

async function isRootKeyHere(db: Sealing["db"]) {
  const root = await currentRoot(db);
  return root?.private_key !== null;
}

type How = { isNewRoot: boolean; atOnce: boolean };

async function rotate(services: Sealing, company: number | undefined, { isNewRoot, atOnce }: How) {
  const { db } = services;
  const companies = db.selectFrom("companies").select(["id", "name"]).orderBy("id");
  const all = company === undefined;
  const chosen = await (
    all ? companies.where("id", "in", activeKeys(db).select("company_id")) : companies.where("id", "=", company)
  ).execute();
  if (!all && chosen.length === 0) throw new CommandFailed(`There is no company ${company}.`);
  if (isNewRoot) {
    await retireRoot(services);
    console.log("The root certificate is retired: the next key gets a new one.");
  }
  for (const { id, name } of chosen) {
    try {
      const { short_id, state, used_from } = keyReply(await rotateAsOperator(services, id, { atOnce }));
      console.log(
        `company ${id} (${name}) has key ${short_id}${state === "next" ? `, used from ${used_from} on` : ""}`,
      );
    } catch (error) {
      // The other companies' keys are made all the same.
      if (!(error instanceof HttpError && all)) throw error;
      console.log(`company ${id} (${name}): ${error.message}`);
    }
  }
}

function revocation(key: string | undefined, text: unknown) {
  if (key === undefined) throw new UsageError("KEY is missing");
  const reason = revocationReasons.find((name) => name === text);
  if (!reason) throw new UsageError(`--reason is one of ${revocationReasons.join(", ")}`);
  return (services: Sealing) => revoke(services, key, reason);
}

async function revoke(services: Sealing, key: string, revoked_reason: RevocationReason) {
  const keys = services.db.selectFrom("seal_keys").where("short_id", "=", key.toLowerCase());
  const row = await keys.select(["id", "company_id"]).executeTakeFirst();
  if (!row) throw new CommandFailed(`There is no key ${key}: see seal-keys list.`);
  await revokeAsOperator(services, row.company_id, { id: row.id, revoked_reason });
  const next = (await isRootKeyHere(services.db))
    ? "The company's next seal has another one."
    : "The company's next seal needs the root's private key: return it with: seal-keys return-root FILE";
  console.log(`Key ${key} is revoked. ${next}`);
  await printFaults(services.db);
}
