import { addPages, type FormClient, signInClient, startDraft } from "../support/form-client.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { otherSignIn, startOtherProvider } from "../support/other-provider.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { startServer } from "../support/server.ts";
import type { Figure } from "./figures.ts";

const limit = 1;

/** How much later than the time limit a page answers whose provider hangs or answers by drops: the worst of all calls. */
export async function measureFaults(): Promise<Figure[]> {
  const other = await startOtherProvider();
  const proxy = await startFaultProxy(other.url);
  const times = { PROVIDER_TIMEOUT: String(limit), PROVIDER_FILE_TIMEOUT: String(limit) };
  const server = await startServer({ env: { PROVIDER_URL: proxy.url, LOG_LEVEL: "silent", ...times } });
  let worst = 0;
  for (const name of ["hang", "trickle"] as const) {
    const client = await signInClient(server.url, otherSignIn);
    const draft = await startDraft(client, "Measured");
    await addPages(client, draft, [asUpload(await picture("page.png"))]);
    const actions: [string, (client: FormClient) => Promise<Response>][] = [
      ["POST /api/login", ({ anonymous }) => anonymous.post("/login", otherSignIn)],
      ["GET /api/users", ({ get }) => get("/dashboard")],
      ["GET /api/documents/101", ({ get }) => get("/documents/101")],
      ["POST /api/documents/storeDocument", ({ post }) => post(`${draft}/review`, {})],
    ];
    for (const [at, action] of actions) {
      proxy.fault = { name, at };
      const begun = performance.now();
      await (await action(client)).text();
      worst = Math.max(worst, (performance.now() - begun) / 1000 - limit);
      proxy.fault = undefined;
    }
  }
  await server.stop();
  await proxy.stop();
  await other.stop();
  return [{ what: "Answer after the time limit, provider hanging or trickling", value: worst, unit: "s", atMost: 0.5 }];
}
