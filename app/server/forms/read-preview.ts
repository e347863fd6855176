import type { z } from "zod";
import { errorsByField } from "#provider/contract/fields.ts";
import { asFailure } from "../provider/failure.ts";

type Previewed<Preview> = { values?: Record<string, string>; preview?: Preview; errors: Record<string, string[]> };

type Previewing<Preview> = {
  /** What is previewed, by the names of the form's fields. */
  query: z.ZodObject;
  /** The form's other fields. */
  others?: string[];
  fetch(query: Record<string, string>): Promise<Preview>;
};

/** A form's values as its address has them, and their preview or what is wrong with them; nothing without `preview`. */
export async function readPreview<Preview>(
  { searchParams }: URL,
  { query: schema, others = [], fetch }: Previewing<Preview>,
): Promise<Previewed<Preview>> {
  if (!searchParams.has("preview")) return { errors: {} };
  const names = Object.keys(schema.shape);
  const entryFor = (name: string) => [name, searchParams.get(name) ?? ""] as const;
  const values = Object.fromEntries([...others, ...names].map(entryFor));
  const query = Object.fromEntries(names.filter((name) => searchParams.has(name)).map(entryFor));
  const { error } = schema.safeParse(query);
  if (error) return { values, errors: errorsByField(error) };
  try {
    return { values, preview: await fetch(query), errors: {} };
  } catch (thrown) {
    const failed = asFailure(thrown, 422, 429, 503);
    if (!failed) throw thrown;
    return { values, errors: failed.errors ?? { "": [failed.message] } };
  }
}
