import type { RouterContextProvider } from "react-router";
import { getOffers } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";

/**
 * Removes or reactivates a user. A provider with the specification's ten calls alone gets the stored record back, with
 * `active` changed. Returns the invitation of a reactivated user who has no password.
 */
export async function setActive(context: Readonly<RouterContextProvider>, id: string, active: boolean) {
  const provider = getProvider(context);
  const params = { id };
  if (!getOffers(context).lists) {
    const { name, email, phone, role, country, city, index, branch, staff, info } = await provider.getUser({ params });
    const stored = { name, email, phone, role, country, city, index, branch, staff, info };
    await provider.updateUser({ params, body: { ...stored, active } });
    return null;
  }
  if (active) return (await provider.reactivateUser({ params })).invitation;
  await provider.removeUser({ params });
  return null;
}
