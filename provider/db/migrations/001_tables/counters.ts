import type { Dialect } from "./dialect.ts";
import { addText, removeText } from "./text-indexes.ts";

/** Triggers that count documents, scans and alerts: by day and month, and by all that decides who may read them. */
export const counters = ({ isPostgres }: Dialect) =>
  isPostgres ? [...postgresDays, ...postgresReach] : [...sqliteDays, ...sqliteReach];

const countDays = (row: string, by: string) => `insert into document_days (company_id, status, date, documents)
  values (${row}.company_id, ${row}.status, ${row}.date, ${by})
  on conflict (company_id, status, date) do update set documents = document_days.documents + ${by};
  insert into document_months (company_id, status, month, documents)
  values (${row}.company_id, ${row}.status, substr(${row}.date, 1, 7), ${by})
  on conflict (company_id, status, month) do update set documents = document_months.documents + ${by};`;
const count = countDays("new", "1");
const uncount = countDays("old", "-1");

const countScan = (row: string, by: string) => `insert into scan_days (company_id, day, staff, scans)
  values (${row}.company_id, ${row}.day, ${row}.staff, ${by})
  on conflict (company_id, day, staff) do update set scans = scan_days.scans + ${by};`;

const sqliteDays = [
  `create trigger documents_added after insert on documents begin ${addText} ${count} end`,
  `create trigger documents_removed after delete on documents begin ${removeText} ${uncount} end`,
  `create trigger documents_moved after update of status, date on documents
   when old.status <> new.status or old.date <> new.date begin ${uncount} ${count} end`,
  `create trigger scans_added after insert on scans begin ${countScan("new", "1")} end`,
  `create trigger scans_removed after delete on scans begin ${countScan("old", "-1")} end`,
];

/** Counts a statement's scans at once, so that many of a day change one row once. */
const countScans = (rows: string, sign: string) =>
  `insert into scan_days (company_id, day, staff, scans)
   select company_id, day, staff, ${sign}count(*) from ${rows} group by company_id, day, staff order by 1, 2, 3
   on conflict (company_id, day, staff) do update set scans = scan_days.scans + excluded.scans;`;

const postgresDays = [
  `create function count_documents() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then ${uncount} end if;
     if tg_op <> 'DELETE' then ${count} end if;
     return null;
   end $$`,
  `create trigger documents_counted after insert or delete on documents
   for each row execute function count_documents()`,
  `create trigger documents_moved after update of status, date on documents
   for each row when (old.status <> new.status or old.date <> new.date) execute function count_documents()`,
  `create function count_added_scans() returns trigger language plpgsql as $$ begin
     ${countScans("added", "")} return null;
   end $$`,
  `create function count_removed_scans() returns trigger language plpgsql as $$ begin
     ${countScans("removed", "-")} return null;
   end $$`,
  `create trigger scans_added after insert on scans referencing new table as added
   for each statement execute function count_added_scans()`,
  `create trigger scans_removed after delete on scans referencing old table as removed
   for each statement execute function count_removed_scans()`,
];

const reach = "company_id, branch_id, access_group_id, owner_id";
const key = "company_id, coalesce(branch_id, 0), coalesce(access_group_id, 0), owner_id, status";
const reachOf = (row: string) => `${row}.company_id, ${row}.branch_id, ${row}.access_group_id, ${row}.owner_id`;

// In the order of the key, so that two transactions that count the same rows wait for each other in turn.
const countReach = (table: string, counted: string[]) => `insert into ${table}_reach (${reach}, status, ${table}s)
  select * from (${counted.join(" union all ")}) as counted where true order by 1, 2, 3, 4, 5
  on conflict (${key}) do update set ${table}s = ${table}_reach.${table}s + excluded.${table}s;`;

const newDocument = `select ${reachOf("new")}, new.status, 1`;
const oldDocument = `select ${reachOf("old")}, old.status, -1`;
const alert = (row: string, by: string) =>
  `select ${reachOf("d")}, ${row}.status, ${by} from documents d where d.id = ${row}.document_id`;
const alertsOf = (row: string, sign: string) =>
  `select ${reachOf(row)}, status, ${sign}count(*) from alerts where document_id = ${row}.id group by status`;

const addDocument = countReach("document", [newDocument]);
const removeDocument = countReach("document", [oldDocument]);
const changeDocument = countReach("document", [oldDocument, newDocument]);
const addAlert = countReach("alert", [alert("new", "1")]);
const removeAlert = countReach("alert", [alert("old", "-1")]);
const changeAlert = countReach("alert", [alert("old", "-1"), alert("new", "1")]);
const moveAlerts = countReach("alert", [alertsOf("old", "-"), alertsOf("new", "")]);

const hasMoved = ["branch_id", "access_group_id", "owner_id"]
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(" or ");

const sqliteReach = [
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

const postgresReach = [
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
