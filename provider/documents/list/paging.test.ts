import { beforeAll, describe, expect, test } from "vitest";
import { companyWithLists, several, smallTuning } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { listDocuments } from "../../contract/documents.ts";
import type { DocumentList } from "./index.ts";

const size = 5;
const orders = listDocuments.query.shape.sort.unwrap().options;
const idsOf = ({ rows }: { rows: { id: number }[] }) => rows.map(({ id }) => id);

describe.runIf(hasDatabase())("the pages of a list", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await testProvider();
  });

  async function filledCompany() {
    const company = await companyWithLists(provider);
    const branches = [await provider.branch(company.id, "Preston"), await provider.branch(company.id, "Lancaster")];
    const owner = await provider.user(company.id, { name: "Olga Owner" });
    const namesake = await provider.user(company.id, { name: "Olga Owner" });
    const days = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-31", "2026-02-01"];
    for (const ownerId of [company.admin.id, owner.id, namesake.id]) {
      await company.add(
        several(18, (n) => ({
          name: `Lease ${n % 3}`,
          date: days[n % days.length]!,
          status: (["active", "exited", "archived"] as const)[n % 3]!,
          ...(n % 4 > 0 && { branch_id: branches[n % 2]!.id }),
        })),
        ownerId,
      );
    }
    return { ...company, owner };
  }

  /** Follows the cursors through a list from its first page on. */
  async function pagesOf(list: DocumentList) {
    let page = await list.part({ size });
    const pages = [page];
    while (page.next) pages.push((page = await list.part({ size, after: page.next })));
    return pages;
  }

  test.each(orders)("sorted by %s follow each other in both directions and have their numbers", async (order) => {
    const { list, owner } = await filledCompany();
    for (const [tuning, filters] of [
      [{}, {}],
      [smallTuning, {}],
      [smallTuning, { status: "active,exited" }],
      [smallTuning, { date_from: "2026-01-02" }],
      [smallTuning, { date_to: "2026-01-03" }],
      [smallTuning, { name: "lease" }],
      [smallTuning, { name: "lease", date: "2026-01-02" }],
      [{}, { name: "le" }],
      [{}, { name: "lease", branch: "Preston" }],
      [smallTuning, { email: owner.email }],
      [smallTuning, { branch: "Preston", date_from: "2026-01-02" }],
    ] as const) {
      const opened = await list(filters, { order, tuning });
      const whole = idsOf(await opened.part({ size: 100 }));
      expect(new Set(whole).size).toBe(whole.length);
      const isCapped = "name" in filters && tuning === smallTuning;
      const total = isCapped ? smallTuning.sortLimit : whole.length;
      expect(await opened.total()).toEqual({ total, isCapped });
      const pages = await pagesOf(opened);
      expect(pages.flatMap(idsOf), `${order} forwards`).toEqual(whole);
      for (const [n, page] of pages.entries()) {
        expect(idsOf(await opened.part({ size, skip: n * size })), `${order} page ${n + 1}`).toEqual(idsOf(page));
      }
      expect(idsOf(await opened.part({ size, skip: whole.length })), `${order} behind the last`).toEqual([]);
      let page = pages.at(-1)!;
      for (const before of pages.slice(0, -1).toReversed()) {
        page = await opened.part({ size, before: page.previous });
        expect(idsOf(page), `${order} backwards`).toEqual(idsOf(before));
      }
      expect(page.previous).toBeUndefined();
    }
  });
});
