import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * Counters of documents and alerts by all that decides who may read them, which triggers keep up to date, an index that
 * has just that of each document, and one of the documents with several copies.
 */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const statements = isPostgres ? [lock, ...tables, ...postgresTriggers] : [...tables, ...sqliteTriggers];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// Else what another process adds meanwhile is not counted.
const lock = "lock table documents, alerts in share row exclusive mode";

const reach = "company_id, branch_id, access_group_id, owner_id";
const key = "company_id, coalesce(branch_id, 0), coalesce(access_group_id, 0), owner_id, status";

const tables = [
  `create table document_reach (
    company_id integer not null, branch_id integer, access_group_id integer, owner_id integer not null,
    status text not null, documents integer not null)`,
  `create unique index document_reach_key on document_reach (${key})`,
  "create index document_reach_by_branch on document_reach (company_id, branch_id)",
  "create index document_reach_by_owner on document_reach (company_id, owner_id)",
  `insert into document_reach (${reach}, status, documents)
   select ${reach}, status, count(*) from documents group by ${reach}, status`,
  `create table alert_reach (
    company_id integer not null, branch_id integer, access_group_id integer, owner_id integer not null,
    status integer not null, alerts integer not null)`,
  `create unique index alert_reach_key on alert_reach (${key})`,
  "create index alert_reach_by_branch on alert_reach (company_id, branch_id)",
  "create index alert_reach_by_owner on alert_reach (company_id, owner_id)",
  `insert into alert_reach (${reach}, status, alerts)
   select d.company_id, d.branch_id, d.access_group_id, d.owner_id, a.status, count(*)
   from alerts a join documents d on d.id = a.document_id
   group by d.company_id, d.branch_id, d.access_group_id, d.owner_id, a.status`,
  `create index documents_by_reach on documents (id, ${reach})`,
  "create index documents_in_copies on documents (company_id, copies) where copies > 1",
];

const reachOf = (row: string) => `${row}.company_id, ${row}.branch_id, ${row}.access_group_id, ${row}.owner_id`;

// In the order of the key, so that two transactions that count the same rows wait for each other in turn.
const count = (table: string, counted: string[]) => `insert into ${table}_reach (${reach}, status, ${table}s)
  select * from (${counted.join(" union all ")}) as counted where true order by 1, 2, 3, 4, 5
  on conflict (${key}) do update set ${table}s = ${table}_reach.${table}s + excluded.${table}s;`;

const newDocument = `select ${reachOf("new")}, new.status, 1`;
const oldDocument = `select ${reachOf("old")}, old.status, -1`;
const alert = (row: string, by: string) =>
  `select ${reachOf("d")}, ${row}.status, ${by} from documents d where d.id = ${row}.document_id`;
const alertsOf = (row: string, sign: string) =>
  `select ${reachOf(row)}, status, ${sign}count(*) from alerts where document_id = ${row}.id group by status`;

const addDocument = count("document", [newDocument]);
const removeDocument = count("document", [oldDocument]);
const changeDocument = count("document", [oldDocument, newDocument]);
const addAlert = count("alert", [alert("new", "1")]);
const removeAlert = count("alert", [alert("old", "-1")]);
const changeAlert = count("alert", [alert("old", "-1"), alert("new", "1")]);
const moveAlerts = count("alert", [alertsOf("old", "-"), alertsOf("new", "")]);

const hasMoved = ["branch_id", "access_group_id", "owner_id"]
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(" or ");

const sqliteTriggers = [
  `create trigger document_reach_added after insert on documents begin ${addDocument} end`,
  `create trigger document_reach_removed after delete on documents begin ${removeDocument} end`,
  `create trigger document_reach_changed after update of branch_id, access_group_id, owner_id, status on documents
   when old.status <> new.status or ${hasMoved} begin ${changeDocument} end`,
  `create trigger alert_reach_moved after update of branch_id, access_group_id, owner_id on documents
   when ${hasMoved} begin ${moveAlerts} end`,
  `create trigger alert_reach_added after insert on alerts begin ${addAlert} end`,
  `create trigger alert_reach_removed after delete on alerts begin ${removeAlert} end`,
  `create trigger alert_reach_changed after update of status on alerts when old.status <> new.status
   begin ${changeAlert} end`,
];

const postgresTriggers = [
  `create function count_document_reach() returns trigger language plpgsql as $$ begin
     if tg_op = 'INSERT' then ${addDocument}
     elsif tg_op = 'DELETE' then ${removeDocument}
     else
       ${changeDocument}
       if ${hasMoved} then ${moveAlerts} end if;
     end if;
     return null;
   end $$`,
  `create trigger document_reach_counted after insert or delete on documents
   for each row execute function count_document_reach()`,
  `create trigger document_reach_changed after update of branch_id, access_group_id, owner_id, status on documents
   for each row when (old.status <> new.status or ${hasMoved}) execute function count_document_reach()`,
  `create function count_alert_reach() returns trigger language plpgsql as $$ begin
     if tg_op = 'INSERT' then ${addAlert}
     elsif tg_op = 'DELETE' then ${removeAlert}
     else ${changeAlert}
     end if;
     return null;
   end $$`,
  `create trigger alert_reach_counted after insert or delete on alerts
   for each row execute function count_alert_reach()`,
  `create trigger alert_reach_changed after update of status on alerts
   for each row when (old.status <> new.status) execute function count_alert_reach()`,
];
