import { t } from "#lib/messages/staff.ts";
import type { HelpItem } from "#provider/contract/help.ts";
import { defaultTariffId, guideFor, plans } from "#provider/contract/reference.ts";
import type { Tariff } from "#provider/contract/tariffs.ts";
import type { Context } from "../request/router-context.ts";
import { getUser } from "../sessions/current-user.ts";
import { getSession } from "../sessions/session.ts";
import { getProvider } from "./context.ts";
import { failure, orUndefinedIfUnknown } from "./failure.ts";

/** The specification's plans and guide, in front of a provider that knows neither (`docs/contract.md`, "What each page does …"). */

/** The entries that match a search; `isOwn`: they are Sealdesk's, to be searched by the caller. */
export async function readGuide(context: Context, search: string): Promise<{ items: HelpItem[]; isOwn: boolean }> {
  const items = await orUndefinedIfUnknown(getProvider(context).listHelp({ query: { search } }));
  return { items: items ?? guideFor("other"), isOwn: !items };
}

type Tariffs = { tariffs: Tariff[]; isOwn: boolean };

/** The provider's plans; `isOwn`: the specification's plans, one of which is stored in this session. */
export async function readTariffs(context: Context): Promise<Tariffs> {
  const reply = getProvider(context).listTariffs();
  const tariffs = await (getUser(context).plan ? reply : orUndefinedIfUnknown(reply));
  return { tariffs: tariffs ?? ownTariffs(context), isOwn: !tariffs };
}

/** The specification's plans; exactly one is active, the first time SilverState 1. */
function ownTariffs(context: Context): Tariff[] {
  const tariffId = getSession(context).get("tariff");
  const active = plans.some(({ id }) => id === tariffId) ? tariffId : defaultTariffId;
  return plans.map((plan) => ({ ...plan, active: plan.id === active }));
}

export const ownPlanName = (context: Context): string => ownTariffs(context).find(({ active }) => active)!.name;

/** Changes the company's plan, or this session's if the provider has none. Returns the notice. Throws as `changeTariff` does. */
export async function choosePlan(context: Context, tariff: number): Promise<string> {
  const { tariffs, isOwn } = await readTariffs(context);
  if (!isOwn) {
    const changed = await getProvider(context).changeTariff({ body: { tariff } });
    return changed ? t("signed-in.tariffs.changedTo", { name: changed.name }) : t("signed-in.tariffs.changed");
  }
  const plan = tariffs.find(({ id, price_per_user }) => id === tariff && price_per_user !== null);
  if (!plan) throw failure(422, { kind: "refused", message: t("server.provider.ownReference.chooseFromList") });
  getSession(context).set("tariff", tariff);
  return t("server.provider.ownReference.chosenHere", { name: plan.name });
}
