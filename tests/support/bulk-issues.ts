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
  return { ask, post, headers: { authorization: `Bearer ${token}` } };
}

type BulkClient = Awaited<ReturnType<typeof bulkClient>>;

/** Starts a bulk issue of so many rows, all checked, with one page file each. Returns its address. */
export async function startBulkIssue(client: BulkClient, count: number): Promise<string> {
  const { id } = await client.post("/bulk-issues", whatForm);
  const path = `/bulk-issues/${id}`;
  const lines = Array.from({ length: count }, (_, n) => `Row ${n + 1},page.png`);
  await client.post(`${path}/table`, withFile("table", ["Name,File", ...lines].join("\n"), "rows.csv"));
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
