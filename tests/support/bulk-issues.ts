import { whatForm, withFile, zipFile } from "../fixtures/bulk-issues.ts";
import { picture } from "./page-files.ts";
import { signInOverHttp } from "./form-client.ts";
import { until } from "./server.ts";

/** Calls of a signed-in API client about bulk issues. */
export async function bulkClient(url: string) {
  const { token } = await signInOverHttp(url);
  async function ask(path: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    const answer = await fetch(`${url}/api${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<any>;
  }
  const json = { "content-type": "application/json" };
  const post = (path: string, body?: object | FormData) =>
    body instanceof FormData
      ? ask(path, { method: "POST", body })
      : ask(path, { method: "POST", ...(body && { headers: json, body: JSON.stringify(body) }) });
  const put = (path: string, body: object) => ask(path, { method: "PUT", headers: json, body: JSON.stringify(body) });
  return { ask, post, put, headers: { authorization: `Bearer ${token}` } };
}

type BulkClient = Awaited<ReturnType<typeof bulkClient>>;

/** A row's cells in columns beside name and file. */
type MoreColumns = { columns: string[]; cells(n: number): string[] };

/** Starts a bulk issue of so many rows, all checked, with one page file each. Returns its address. */
export async function startBulkIssue(
  client: BulkClient,
  count: number,
  { columns, cells }: MoreColumns = { columns: [], cells: () => [] },
): Promise<string> {
  const { id } = await client.post("/bulk-issues", whatForm);
  const path = `/bulk-issues/${id}`;
  const lines = Array.from({ length: count }, (_, n) => [`Row ${n + 1}`, "page.png", ...cells(n + 1)].join(","));
  const table = [["Name", "File", ...columns].join(","), ...lines].join("\n");
  await client.post(`${path}/table`, withFile("table", table, "rows.csv"));
  const zip = await zipFile({ "page.png": (await picture("page.png")).buffer });
  await client.post(`${path}/archive`, withFile("archive", zip, "pages.zip"));
  return checkAndStart(client, path);
}

async function checkAndStart({ ask, post }: BulkClient, path: string) {
  await post(`${path}/check`);
  await until(async () => (await ask(path)).state === "checked", "the rows to be checked");
  await post(`${path}/start`, {});
  return path;
}
