import type { RouterContextProvider } from "react-router";
import type { Company } from "#provider/contract/company.ts";
import { getOffers, getUser, may, mayInCompany } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";

/** The company, for users who may take all steps of setting it up. */
export async function readCompanyToSetUp(context: Readonly<RouterContextProvider>) {
  const user = getUser(context);
  const maySetUp =
    getOffers(context).lists &&
    may(user, "co_profile", "write") &&
    mayInCompany(user, "branches", "create") &&
    may(user, "docs", "create");
  return maySetUp ? orUndefinedIfHidden(getProvider(context).getCompany()) : undefined;
}

/** Which steps of setting the company up are done; undefined for others, and once all are. */
export function firstSteps(company: Company | undefined, count: { branches: number; documents: number }) {
  if (!company) return undefined;
  const { email, phone, address } = company;
  const steps = {
    company: [email, phone, address].some(Boolean),
    branch: count.branches > 0,
    document: count.documents > 0,
  };
  return Object.values(steps).every(Boolean) ? undefined : steps;
}
