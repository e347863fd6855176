import { randomUUID } from "node:crypto";
import { signInOverHttp } from "../support/form-client.ts";
import { filledSignIns, signIn } from "../support/sample.ts";

/** Signs the large company's administrator in by the API. */
const signAdministratorIn = (url: string) =>
  signInOverHttp(url, { ...signIn, email: filledSignIns("large").administrator });

/** Writes something that no measured page shows, so that a page's replies are not those of the request before. */
export async function writerOn(url: string): Promise<() => Promise<void>> {
  const { token } = await signAdministratorIn(url);
  const headers = { authorization: `Bearer ${token}` };
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
