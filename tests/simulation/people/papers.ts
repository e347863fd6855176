import type { Paper, Visitor } from "./visitor.ts";

/** Opens a paper's page as a phone does: its verdict, a scan, and perhaps where. */
export async function open(visitor: Visitor, { code }: Pick<Paper, "code">, number?: string) {
  await visitor.anonymously("verify", { params: { code }, query: number ? { number } : {} });
  const { json } = await visitor.anonymously("recordScan", { params: { code }, body: number ? { number } : {} });
  return json?.scan as string | undefined;
}
