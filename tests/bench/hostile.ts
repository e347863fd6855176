import { addPages, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, bomb, endless, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import type { Figure } from "./figures.ts";
import { memoryOverIdle } from "./watched.ts";

const uploads = 10;

/** What files that are made to take time or memory cost: others, who upload an ordinary page meanwhile, and the machine. */
export async function measureHostile(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const want of ["memory", "time"] as const) figures.push(...(await measureEndless(want)));
  figures.push(await measureBomb());
  return figures;
}

/** Five visitors ask for pages of an open document that never end to be drawn. */
async function measureEndless(want: "memory" | "time"): Promise<Figure[]> {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "error" } });
  const client = await signInClient(server.url);
  const page = asUpload(await picture("page.png"));
  const timed = async () => {
    const draft = await startDraft(client, "Honest");
    const begun = performance.now();
    await addPages(client, draft, [page]);
    return (performance.now() - begun) / 1000;
  };
  await timed();
  let slowest = 0;
  const memory = await memoryOverIdle(server, async () => {
    const draft = await startDraft(client, "Endless", { access_type: "Open to all" });
    await addPages(client, draft, [asUpload(await endless("endless.pdf", want))]);
    const code = await codeOf(client, await create(client, draft));
    const leaving = new AbortController();
    const visits = [2, 3, 4, 5, 6].map((n) =>
      fetch(`${server.url}/v/${code}/pages/1?page=${n}`, { signal: leaving.signal }).catch(() => {}),
    );
    for (let n = 0; n < uploads; n++) slowest = Math.max(slowest, await timed());
    leaving.abort();
    await Promise.all(visits);
  });
  await server.stop();
  const what = `Five visitors at pages that need endless ${want}`;
  return [
    { what: `${what}: the slowest upload of a page by another user`, value: slowest, unit: "s", atMost: 2 },
    { what: `${what}: memory over idle`, value: memory, unit: "MB", atMost: 256 },
  ];
}

/** A picture of 790 kB that unpacks to 800 MB, six times as a page. */
async function measureBomb(): Promise<Figure> {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "error" } });
  const client = await signInClient(server.url);
  const draft = await startDraft(client, "Unpacked");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const file = asUpload(bomb("scan.png"));
  const value = await memoryOverIdle(server, () =>
    Promise.all(
      Array.from({ length: 6 }, async () => {
        const form = new FormData();
        form.set("intent", "add");
        form.append("files", file);
        const answer = await client.post(`${draft}/pages`, form);
        if (answer.status !== 422) throw new Error(`The picture was answered with ${answer.status}`);
      }),
    ),
  );
  await server.stop();
  return {
    what: "A picture that unpacks to 800 MB, six times at once: memory over idle",
    value,
    unit: "MB",
    atMost: 64,
  };
}
