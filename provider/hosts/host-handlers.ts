import * as contract from "../contract/hosts.ts";
import type { CompanyHost } from "../contract/hosts.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { limitByKey } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { findHost, hostsReply, removeHost, requestHost } from "./change-hosts.ts";
import { checkHost } from "./check-hosts.ts";

/** A company's own hosts. */
export function serveHosts(on: On, services: Services) {
  const { db } = services;
  const limits = {
    requested: limitByKey(services, "hosts_requested", "Your company has requested many hosts"),
    checked: limitByKey(services, "hosts_checked", "Your company has looked for many records"),
  };

  async function hostReply(companyId: number, id: number): Promise<CompanyHost> {
    const host = (await hostsReply(db, companyId)).find((one) => one.id === id);
    if (!host) throw notFound();
    return host;
  }

  on(contract.listHosts, ({ actor }) => hostsReply(db, actor.company_id));

  on(contract.requestHost, async ({ caller, body }) => {
    await limits.requested.count(String(caller.company_id));
    return hostReply(caller.company_id, await requestHost(services, caller, body.host));
  });

  on(contract.checkHost, async ({ actor: { company_id }, params: { id } }) => {
    await limits.checked.count(String(company_id));
    const row = await findHost(db, company_id, id);
    if (row.next_check_at !== null) await checkHost(services, row);
    return hostReply(company_id, id);
  });

  on(contract.removeHost, ({ caller, params }) => removeHost(services, caller, params.id));
}
