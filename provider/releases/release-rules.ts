import type { z } from "zod";
import { fold } from "#lib/text.ts";
import type { Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import { companySubject } from "../company/company-queries.ts";
import { type createReleaseRule, maxReleaseRules, type ReleaseRule } from "../contract/release-rules.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, notFound, throwIfErrors } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { statedAmount } from "./amounts.ts";

/** A company's rules for what waits to be released by other users than its drafter. */

type Input = z.output<typeof createReleaseRule.body>;
type StoredRule = Omit<ReleaseRule, "branch" | "access_group">;

/** The facts of a document by which rules hold it back. */
export type DocumentFacts = {
  document_type: string;
  branch_id: number | null;
  access_group_id: number | null;
  custom_fields: { name: string; value: string }[];
};

async function storedRules(db: Db, companyId: number): Promise<StoredRule[]> {
  const company = db.selectFrom("companies").where("id", "=", companyId).select("release_rules");
  const { release_rules } = await company.executeTakeFirstOrThrow();
  return release_rules ? (JSON.parse(release_rules) as StoredRule[]) : [];
}

/** How many users have to release a document of any of these facts; 0 without a rule for it. */
export async function neededReleasers(db: Db, companyId: number, facts: DocumentFacts[], isWithdrawal = false) {
  const rules = await storedRules(db, companyId);
  const holding = rules.filter((rule) => (!isWithdrawal || rule.withdrawals) && facts.some((one) => holds(rule, one)));
  return Math.max(0, ...holding.map(({ releasers }) => releasers));
}

function holds(rule: StoredRule, { document_type, branch_id, access_group_id, custom_fields }: DocumentFacts) {
  if (rule.document_type && rule.document_type !== document_type) return false;
  if (rule.branch_id !== null && rule.branch_id !== branch_id) return false;
  if (rule.access_group_id !== null && rule.access_group_id !== access_group_id) return false;
  if (!rule.field) return true;
  const field = custom_fields.find(({ name }) => fold(name) === fold(rule.field));
  // Whoever leaves the amount out, or writes it in words, gets no further.
  return (statedAmount(field?.value ?? "") ?? Infinity) >= Number(rule.at_least);
}

/** A company's rules with the names of their branches and access groups. */
export async function releaseRulesOf(db: Db, companyId: number) {
  const rules = await storedRules(db, companyId);
  if (rules.length === 0) return [];
  const names = async (table: "branches" | "access_groups") => {
    const rows = await db.selectFrom(table).where("company_id", "=", companyId).select(["id", "name"]).execute();
    return new Map<number | null, string>(rows.map(({ id, name }) => [id, name]));
  };
  const [branches, groups] = [await names("branches"), await names("access_groups")];
  return rules.map((rule) => ({
    ...rule,
    branch: branches.get(rule.branch_id) ?? "",
    access_group: groups.get(rule.access_group_id) ?? "",
  }));
}

/** Adds a rule. Throws 409 if there are too many, 422 for a branch or access group that the company lacks. */
export const addRule = (services: Services, caller: Caller, { branch_id, access_group_id, ...input }: Input) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { company_id } = actor;
    const rules = await storedRules(db, company_id);
    if (rules.length >= maxReleaseRules) throw conflict(`There can be ${maxReleaseRules} rules: remove one first`);
    const isOne = async (table: "branches" | "access_groups", id: number | "" | null) => {
      const rows = db.selectFrom(table).where("company_id", "=", company_id).where("active", "=", TRUE);
      return !id || (await rows.where("id", "=", id).select("id").executeTakeFirst());
    };
    throwIfErrors({
      branch_id: (await isOne("branches", branch_id)) ? undefined : "Choose a branch from the list",
      access_group_id: (await isOne("access_groups", access_group_id)) ? undefined : "Choose a group from the list",
    });
    const id = Math.max(0, ...rules.map((rule) => rule.id)) + 1;
    const rule = { id, ...input, branch_id: branch_id || null, access_group_id: access_group_id || null };
    await store(db, company_id, [...rules, rule]);
    const added = (await releaseRulesOf(db, company_id)).at(-1)!;
    const subject = await companySubject(db, company_id);
    const after = { release_rule: inWords(added) };
    await audit(db, { actor, action: "release rule added", subject, at: services.now(), after });
    return added;
  });

/** Removes a rule. Throws 404. */
export const removeRule = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const rules = await releaseRulesOf(db, actor.company_id);
    const rule = rules.find((one) => one.id === id);
    if (!rule) throw notFound();
    const rest = (await storedRules(db, actor.company_id)).filter((one) => one.id !== id);
    await store(db, actor.company_id, rest);
    const subject = await companySubject(db, actor.company_id);
    const change = { before: { release_rule: inWords(rule) }, after: { release_rule: null } };
    await audit(db, { actor, action: "release rule removed", subject, at: services.now(), ...change });
  });

const store = (db: Db, companyId: number, rules: StoredRule[]) =>
  db
    .updateTable("companies")
    .set({ release_rules: rules.length > 0 ? JSON.stringify(rules) : null })
    .where("id", "=", companyId)
    .execute();

/** For the audit trail: `Contract, Leeds, Amount from 10000: 2 users, withdrawals too`. */
function inWords({ document_type, branch, access_group, field, at_least, releasers, withdrawals }: ReleaseRule) {
  const amount = field && `${field} from ${at_least}`;
  const documents = [document_type, branch, access_group, amount].filter(Boolean).join(", ") || "All documents";
  return `${documents}: ${releasers === 1 ? "1 user" : `${releasers} users`}${withdrawals ? ", withdrawals too" : ""}`;
}
