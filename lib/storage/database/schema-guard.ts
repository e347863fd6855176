import { CompiledQuery, type Kysely } from "kysely";
import packageFile from "../../../package.json" with { type: "json" };
import { secondsInMs } from "../../units.ts";

const { version } = packageFile;

export const bookkeepingSuffix = "_migrations";

/** A migration's name ends with the oldest version whose processes work with its tables: `004_notes_expand_1.0.0`. */
const oldestVersion = /_(?:expand|contract)_(\d+\.\d+\.\d+)$/;

/** Whether a process of this version works with the tables of a migration that it does not have. */
function isUsable(migration: string): boolean {
  const oldest = oldestVersion.exec(migration)?.[1];
  return oldest !== undefined && version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}

export class NewerSchema extends Error {
  // Requests are refused as if the database were away (`failures.ts`).
  readonly code = "57P01";
  constructor(source: string, owner: string, migration: string) {
    super(
      `${source} comes from a newer Sealdesk than this one (${version}): ${owner}, ${migration}. Use that version; the only way back is a backup made before.`,
    );
  }
}

/** Throws `NewerSchema` if `applied` has a migration that `known` lacks and this version does not work with. */
export function refuseNewer(owner: string, applied: Iterable<string>, known: object) {
  for (const name of applied) {
    if (!Object.hasOwn(known, name) && !isUsable(name)) throw new NewerSchema("The database", owner, name);
  }
}

const checkEveryMs = secondsInMs(5);
const recheckMs = secondsInMs(1);

type Applied = { owner: string; name: string };
type Run = (query: CompiledQuery<Applied>) => Promise<{ rows: Applied[] }>;

/** Compares the applied migrations with those that this process has, once `watch` was called. */
export class SchemaGuard {
  readonly #known = new Map<string, object>();
  #query: CompiledQuery<Applied> | undefined;
  #checkedAt = -Infinity;
  #newer: NewerSchema | undefined;
  #timer: NodeJS.Timeout | undefined;

  add(owner: string, migrations: object) {
    this.#known.set(owner, migrations);
  }

  /** Calls `onNewer` once, within seconds of the migration. */
  watch(db: Kysely<unknown>, onNewer: (newer: NewerSchema) => void) {
    const names = Array.from(
      this.#known.keys(),
      (owner) => `select '${owner}' as owner, name from ${owner}${bookkeepingSuffix}`,
    );
    this.#query = CompiledQuery.raw(names.join(" union all ")) as CompiledQuery<Applied>;
    this.#timer = setInterval(async () => {
      try {
        await this.check((query) => db.executeQuery(query));
      } catch (error) {
        if (!(error instanceof NewerSchema)) return;
        this.stop();
        onNewer(error);
      }
    }, checkEveryMs).unref();
  }

  /** Throws `NewerSchema`; reads at most once a second. */
  async check(run: Run) {
    if (this.#newer) throw this.#newer;
    if (!this.#query || performance.now() - this.#checkedAt < recheckMs) return;
    this.#checkedAt = performance.now();
    const { rows } = await run(this.#query);
    try {
      for (const { owner, name } of rows) refuseNewer(owner, [name], this.#known.get(owner)!);
    } catch (error) {
      throw (this.#newer = error as NewerSchema);
    }
  }

  stop() {
    clearInterval(this.#timer);
  }
}
