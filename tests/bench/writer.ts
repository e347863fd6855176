import { randomUUID } from "node:crypto";
import { filledSignIns, signIn } from "../support/sample.ts";

/** A token of the large company's administrator. */
export async function tokenOn(url: string): Promise<string> {
  const { email, password } = { ...signIn, email: filledSignIns("large").administrator };
  const reply = await fetch(`${url}/api/login`, { method: "POST", body: new URLSearchParams({ email, password }) });
  return ((await reply.json()) as { token: string }).token;
}

/** Writes something that no measured page shows, so that a page's replies are not those of the request before. */
export async function writerOn(url: string): Promise<() => Promise<void>> {
  const headers = { authorization: `Bearer ${await tokenOn(url)}` };
  const list = "branches";
  const send = async (method: string, path: string, fields: Record<string, string>) => {
    const reply = await fetch(`${url}/api/${path}`, {
      method,
      headers,
      body: new URLSearchParams({ list, ...fields }),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
    return reply;
  };
  const { id } = (await (await send("POST", "views", { name: `Measured ${randomUUID()}` })).json()) as { id: number };
  return async () => void (await send("PUT", "views/default", { view_id: String(id) }));
}
