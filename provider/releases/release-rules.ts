import { randomInt } from "node:crypto";
import type { z } from "zod";
import { fold } from "#lib/text.ts";
import type { Actor, Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import { companySubject } from "../company/company-queries.ts";
import {
  type checkReleaseRules,
  type createReleaseRule,
  maxReleaseRules,
  type ReleaseRule,
  type updateReleaseRule,
} from "../contract/release-rules.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { resolveOwnerAndGroup } from "../documents/columns.ts";
import { factsOf } from "../documents/document-queries.ts";
import { findReplaced } from "../documents/replace.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, notFound, throwIfErrors } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { statedAmount } from "./amounts.ts";
import { findResent } from "./hold.ts";

/** A company's rules for what waits to be released by other users than its drafter. */

type Input = z.output<typeof createReleaseRule.body>;
type StoredRule = Omit<ReleaseRule, "branch" | "access_group">;

/** The facts of a document by which rules hold it back. */
type DocumentFacts = {
  document_type: string;
  branch_id: number | null;
  access_group_id: number | null;
  custom_fields: { name: string; value: string }[];
};

async function storedRules(db: Db, companyId: number): Promise<StoredRule[]> {
  const company = db.selectFrom("companies").where("id", "=", companyId).select("release_rules");
  const { release_rules } = await company.executeTakeFirstOrThrow();
  const stored = JSON.parse(release_rules ?? "[]") as (Omit<StoredRule, "version"> & { version?: number })[];
  return stored.map((rule) => ({ version: 1, ...rule }));
}

/** How many users have to release a document of any of these facts; 0 without a rule for it. */
export async function neededReleasers(db: Db, companyId: number, facts: DocumentFacts[], isWithdrawal = false) {
  const rules = (await storedRules(db, companyId)).filter(({ withdrawals }) => !isWithdrawal || withdrawals);
  return strictest(holding(rules, facts));
}

/** The rules that hold a document of any of these facts back, of those with their names. */
const holding = <Rule extends StoredRule>(rules: Rule[], facts: DocumentFacts[]) =>
  rules.filter((rule) => facts.some((one) => holds(rule, one)));

const strictest = (rules: StoredRule[]) => Math.max(0, ...rules.map(({ releasers }) => releasers));

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

type Held = {
  draft: DocumentFacts;
  replaced: Awaited<ReturnType<typeof findReplaced>>;
  resent: Awaited<ReturnType<typeof findResent>>;
};

/** The rules that hold a draft or the document that it replaces back; what waited once waits for one user at least. */
export async function heldBy(db: Db, { company_id }: Actor, { draft, replaced, resent }: Held) {
  const facts = [draft, ...(replaced ? [await factsOf(db, replaced)] : [])];
  const rules = holding(await releaseRulesOf(db, company_id), facts);
  return { releasers: Math.max(strictest(rules), resent ? 1 : 0), rules };
}

/** What would hold a draft back. Throws 422 for its owner, access group, or what it takes the place of. */
export async function checkHeld(db: Db, actor: Actor, draft: z.output<typeof checkReleaseRules.body>) {
  const ownerAndGroup = await resolveOwnerAndGroup(db, actor, draft, { right: "create" });
  const [replaced, resent] = [await findReplaced(db, actor, draft), await findResent(db, actor, draft)];
  return heldBy(db, actor, { draft: { ...draft, ...ownerAndGroup }, replaced, resent });
}

/** Adds a rule. Throws 409 if there are too many, 422 for a branch or access group that the company lacks. */
export const addRule = (services: Services, caller: Caller, input: Input) =>
  changeRules(services, caller, "release rule added", async (db, rules, { company_id }) => {
    if (rules.length >= maxReleaseRules) throw conflict(`There can be ${maxReleaseRules} rules: remove one first`);
    // Never that of an earlier one, whose form may be open somewhere.
    const id = randomInt(1, 2 ** 31 - 1);
    return { id, rules: [...rules, await ruleOf(db, company_id, { id, input })] };
  });

/**
 * Changes a rule in its place. Throws 404, 409 for an outdated version, and 422 likewise, though not for a removed one
 * that it has already.
 */
export const changeRule = (
  services: Services,
  caller: Caller,
  id: number,
  { version, ...input }: z.output<typeof updateReleaseRule.body>,
) =>
  changeRules(services, caller, "release rule changed", async (db, rules, { company_id }) => {
    const before = rules.find((one) => one.id === id);
    if (!before) throw notFound();
    if (version !== undefined && version !== before.version) throw conflict("Another user changed this rule");
    const after = await ruleOf(db, company_id, { id, input, before });
    return { id, rules: rules.map((one) => (one === before ? after : one)) };
  });

/** Removes a rule. Throws 404. */
export const removeRule = (services: Services, caller: Caller, id: number) =>
  changeRules(services, caller, "release rule removed", async (_, rules) => {
    const rest = rules.filter((one) => one.id !== id);
    if (rest.length === rules.length) throw notFound();
    return { id, rules: rest };
  });

type Changed = { id: number; rules: StoredRule[] };

/** Stores a company's rules as one of them was changed, and what of it in the audit trail. Returns that one. */
const changeRules = (
  services: Services,
  caller: Caller,
  action: `release rule ${"added" | "changed" | "removed"}`,
  change: (db: Db, rules: StoredRule[], actor: Actor) => Promise<Changed>,
) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { company_id } = actor;
    const { id, rules } = await change(db, await storedRules(db, company_id), actor);
    const named = async () => (await releaseRulesOf(db, company_id)).find((one) => one.id === id);
    const before = await named();
    const release_rules = rules.length > 0 ? JSON.stringify(rules) : null;
    await db.updateTable("companies").set({ release_rules }).where("id", "=", company_id).execute();
    const after = await named();
    const [was, is] = [before, after].map((rule) => ({ release_rule: rule ? inWords(rule) : null }));
    const subject = await companySubject(db, company_id);
    if (was!.release_rule !== is!.release_rule) {
      await audit(db, { actor, action, subject, at: services.now(), before: was, after: is });
    }
    return after!;
  });

type NewRule = { id: number; input: Input; before?: StoredRule };

async function ruleOf(db: Db, companyId: number, { id, input, before }: NewRule): Promise<StoredRule> {
  const [branch_id, access_group_id] = [input.branch_id || null, input.access_group_id || null];
  const isOne = async (table: "branches" | "access_groups", id: number | null) => {
    const rows = db.selectFrom(table).where("company_id", "=", companyId).where("active", "=", TRUE);
    return id === null || (await rows.where("id", "=", id).select("id").executeTakeFirst());
  };
  const isBranch = branch_id === before?.branch_id || (await isOne("branches", branch_id));
  const isGroup = access_group_id === before?.access_group_id || (await isOne("access_groups", access_group_id));
  throwIfErrors({
    branch_id: isBranch ? undefined : "Choose a branch from the list",
    access_group_id: isGroup ? undefined : "Choose a group from the list",
  });
  return { id, ...input, branch_id, access_group_id, version: (before?.version ?? 0) + 1 };
}

/** For the audit trail: `Contract, Leeds, Amount from 10000: 2 users, withdrawals too`. */
function inWords({ document_type, branch, access_group, field, at_least, releasers, withdrawals }: ReleaseRule) {
  const amount = field && `${field} from ${at_least}`;
  const documents = [document_type, branch, access_group, amount].filter(Boolean).join(", ") || "All documents";
  return `${documents}: ${releasers === 1 ? "1 user" : `${releasers} users`}${withdrawals ? ", withdrawals too" : ""}`;
}
