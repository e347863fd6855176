import { CompiledQuery, type DatabaseConnection, PostgresDriver } from "kysely";
import { SharedConnectionDriver } from "#lib/storage/database/sqlite-driver.ts";
import { currentTask, elsewhere, gate, onServer } from "./gates.ts";

/** Gates at statements, commits and connections of both databases' drivers. */

type Driver = {
  acquireConnection(): Promise<DatabaseConnection>;
  releaseConnection(connection: any): Promise<void>;
  commitTransaction(connection: any): Promise<void>;
  rollbackTransaction(connection: any): Promise<void>;
};

/** To be called once, before a database is opened. */
export function gateDatabases() {
  gateSqlite(SharedConnectionDriver.prototype as Driver);
  gatePostgres(PostgresDriver.prototype);
}

/** SQLite has one connection, which tasks take in turn: one that waits for it is at a gate, not in the driver's own queue. */
function gateSqlite(driver: Driver) {
  const { acquireConnection, releaseConnection } = driver;
  const taken = new WeakSet<Driver>();
  const gated = new WeakSet<DatabaseConnection>();
  driver.acquireConnection = async function (this: Driver) {
    await gate("connection", { isReady: () => !taken.has(this) });
    taken.add(this);
    const connection = await acquireConnection.call(this);
    if (!gated.has(connection)) gateStatements(connection);
    gated.add(connection);
    return connection;
  };
  driver.releaseConnection = async function (this: Driver, connection) {
    taken.delete(this);
    await releaseConnection.call(this, connection);
  };
  gateCommits(driver);
}

/** Of a pool, which would not wait for ever. */
const maxConnections = 10;

function gatePostgres(driver: Driver) {
  const { acquireConnection, releaseConnection } = driver;
  const used = new WeakMap<Driver, number>();
  const count = (pool: Driver, change: number) => used.set(pool, (used.get(pool) ?? 0) + change);
  const backends = new WeakMap<DatabaseConnection, number>();
  driver.acquireConnection = async function (this: Driver) {
    await gate("connection", { isReady: () => (used.get(this) ?? 0) < maxConnections });
    count(this, 1);
    const connection = await elsewhere(() => acquireConnection.call(this));
    if (!backends.has(connection)) {
      const pid = CompiledQuery.raw("select pg_backend_pid() as pid");
      const { rows } = await elsewhere(() => connection.executeQuery<{ pid: number }>(pid));
      backends.set(connection, rows[0]!.pid);
      gateStatements(connection, onServer);
    }
    currentTask()?.process.backends.add(backends.get(connection)!);
    return connection;
  };
  driver.releaseConnection = async function (this: Driver, connection) {
    count(this, -1);
    await releaseConnection.call(this, connection);
  };
  gateCommits(driver);
}

function gateCommits(driver: Driver) {
  const { commitTransaction, rollbackTransaction } = driver;
  /** Committed, but nobody was told. */
  const unanswered = new WeakSet<object>();
  driver.commitTransaction = async function (this: Driver, connection: object) {
    await gate("commit");
    await commitTransaction.call(this, connection);
    unanswered.add(connection);
    await gate("committed");
    unanswered.delete(connection);
  };
  driver.rollbackTransaction = async function (this: Driver, connection: object) {
    if (!unanswered.delete(connection)) await rollbackTransaction.call(this, connection);
  };
}

type Around = <T>(work: () => Promise<T>) => Promise<T>;

function gateStatements(connection: DatabaseConnection, around: Around = (work) => work()) {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async (...query) => {
    await gate("statement");
    return around(() => execute(...query));
  };
}
