import { expect, test } from "vitest";
import { inspectPdf, without } from "#fixtures/pdf-programs.ts";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";
import { sampleSignIn, seedSample } from "./seed.ts";

test.runIf(hasDatabase())("the sample company has its people, branches, documents, plans and help", async () => {
  const { call, services } = await testProvider();
  await seedSample(services);

  const { json: session } = await call("login", { body: sampleSignIn });
  const token = session.token as string;
  const { json: me } = await call("currentUser", { token });
  expect(me).toMatchObject({
    name: "Helen Marsh",
    plan: { name: "SilverState 1" },
    usage: { documents: 11, max_pages: 5000 },
  });

  const { json: documents } = await call("listDocuments", { token });
  const rows = documents.map((document: Record<string, string>) => [document.number, document.date, document.validity]);
  expect(rows.slice(0, 8)).toEqual(
    [
      ["NM-4C7H29", "2026-11-19"],
      ["NM-9KD3P1", "2026-11-18"],
      ["NM-72XQ08", "2026-11-18"],
      ["NM-B5T6R4", "2026-11-16"],
      ["NM-1ZM8V7", "2026-11-13"],
      ["NM-6HW0E5", "2026-11-12"],
      ["NM-P3N41K", "2026-11-10"],
      ["NM-8RJ7C2", "2026-11-09"],
    ].map((row) => [...row, "in force"]),
  );
  expect(rows.slice(8)).toEqual([
    ["NM-R2P5K8", "2026-11-08", "withdrawn"],
    ["NM-W7D0T9", "2026-11-01", "withdrawn"],
    ["NM-3E2XQK", "2026-10-12", "expired"],
  ]);
  expect((await call("listBranches", { token })).json).toHaveLength(5);
  expect((await call("listUsers", { token })).json).toHaveLength(5);
  const { json: tariffs } = await call("listTariffs", { token });
  expect(tariffs).toHaveLength(8);
  expect(tariffs.filter(({ active }: { active: boolean }) => active)).toMatchObject([
    { name: "SilverState 1", extra_page: 0.5 },
  ]);
  const { json: help } = await call("listHelp", { token });
  expect(help.length).toBeGreaterThanOrEqual(12);
});

test.runIf(hasDatabase())("other programs find the sealed PDF of every sample document valid", async () => {
  const { db, services } = await testProvider();
  await seedSample(services);
  const sealed = await db
    .selectFrom("sealed_files")
    .innerJoin("documents", "documents.id", "sealed_files.document_id")
    .select(["documents.folder", "sealed_files.sha256"])
    .execute();
  expect(sealed).toHaveLength(11);
  const keys = sealed.map(({ folder, sha256 }) => `${folder}/sealed-${sha256}.pdf`);
  await services.files.withLocalPaths(keys, async (paths) => {
    for (const path of paths) {
      if (!without("pdfsig")) expect(await inspectPdf.pdfsig(path)).toMatch(/Total document signed[^]*is Valid/);
      if (!without("qpdf")) expect(await inspectPdf.qpdf(path)).toContain("No syntax or stream encoding errors found");
      if (!without("mutool")) expect(await inspectPdf.mutool(path)).toContain("is unchanged since signing");
    }
  });
});
