import { randomUUID } from "node:crypto";
import { readText } from "#intake/form-body.ts";
import { opened } from "../start.ts";
import { inWords } from "../trouble.ts";
import type { DraftTables } from "./tables.ts";

/**
 * Forms of the wizard that were sent after the session had ended. What was typed is kept for an hour, under a number
 * that only that browser's session knows, and goes into the draft once its owner has signed in again.
 */

const longest = 200_000;
const hours = (n: number) => n * 60 * 60 * 1000;

const tables = async () => (await opened()).database.tables<DraftTables>();

/** Keeps a form that a step of the wizard was sent, and returns its number. Page files are not kept. */
async function keep(request: Request, path: string): Promise<string | undefined> {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (request.method !== "POST" || !path.startsWith("/documents/new/") || !isForm) return undefined;
  const body = await readText(request, longest);
  if (body === undefined) return undefined;
  const db = await tables();
  const id = randomUUID();
  const expires_at = new Date(Date.now() + hours(1)).toISOString();
  await db.insertInto("interrupted_forms").values({ id, path, body, expires_at }).execute();
  return id;
}

/** The form that was kept, if it was for a page below `path`; it is then gone. */
async function take(id: string, path: string): Promise<URLSearchParams | undefined> {
  const db = await tables();
  const kept = db
    .deleteFrom("interrupted_forms")
    .where("id", "=", id)
    .where("expires_at", ">", new Date().toISOString());
  const row = await kept.returning(["path", "body"]).executeTakeFirst();
  return row && (row.path === path || row.path.startsWith(`${path}/`)) ? new URLSearchParams(row.body) : undefined;
}

export const { keepInterrupted, takeInterrupted } = inWords({ keepInterrupted: keep, takeInterrupted: take });
