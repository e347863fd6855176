import { writeProof } from "#lib/log/proofs.ts";
import { inclusionProof } from "#lib/log/tree.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { documentLog, type LoggedEntry } from "./log-entry.ts";
import { currentCheckpoints } from "./origins.ts";
import { preimageOf } from "./records.ts";
import { treeOf } from "./tree.ts";

/** The newest checkpoint with more than `number` entries, of those that most witnesses cosigned. */
const checkpointWith = (db: Db, number: number) =>
  currentCheckpoints(db)
    .where("size", ">", number)
    .orderBy("witnesses", "desc")
    .orderBy("size", "desc")
    .limit(1)
    .select(["log_checkpoints.id", "size", "note", "witnesses", "name", "public_key"])
    .executeTakeFirst();

/** The proof that an entry is in the tree of a checkpoint; undefined until one has it. */
export async function entryProof(services: Pick<Services, "db" | "files">, entry: LoggedEntry) {
  const checkpoint = await checkpointWith(services.db, entry.number);
  if (!checkpoint) return undefined;
  const { size } = checkpoint;
  // Tiles in the store are at least as wide; those that are not are computed.
  const newest = await newestSize(services.db);
  const proof = await inclusionProof(entry.number, size, treeOf(services, checkpoint, newest).hashesAt(size));
  return { index: entry.number, proof, checkpoint, preimage: preimageOf(entry) };
}

/**
 * The proof of a document's first or newest entry as a file, which has what the entry is the hash of, unless something
 * contradicts it.
 */
export async function documentProof(
  services: Pick<Services, "db" | "files">,
  documentId: number,
  which: "first" | "newest" = "first",
) {
  const entry = (await documentLog(services, documentId, "UTC"))?.entries?.[which];
  const proof = entry && (await entryProof(services, entry));
  if (!proof) return undefined;
  const { index, proof: hashes, checkpoint, preimage: extra } = proof;
  return { file: writeProof({ extra, index, hashes, checkpoint: checkpoint.note }), key: checkpoint.public_key };
}

/** The tiles of so many entries are in the store. */
async function newestSize(db: Db): Promise<number> {
  const { size } = await currentCheckpoints(db)
    .select(({ fn }) => fn.max<number | null>("size").as("size"))
    .executeTakeFirstOrThrow();
  return size ?? 0;
}
