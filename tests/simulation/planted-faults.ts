/** A fault that is put into the provider's source while it is loaded (`plant.ts`): `from` stands once in the file. */
export type PlantedFault = { file: string; from: string; to: string };

/**
 * Faults about order, time and ownership that were in the product once, or would be as easily: the simulation must find
 * them. By a sentence that says what goes wrong.
 */
export const plantedFaults: Record<string, PlantedFault> = {
  "a removed user comes back when their form is saved": {
    file: "provider/users/change-user.ts",
    from: "const { active = wasActive, directory } = input;",
    to: "const { active = true, directory } = input;",
  },
  "a removed user's sessions go on": {
    file: "provider/sessions/tokens.ts",
    from: '  await db.deleteFrom("tokens").where("user_id", "=", userId).execute();',
    to: '  await db.deleteFrom("tokens").where("user_id", "=", userId).where("kind", "!=", "session").execute();',
  },
  "a removed user comes back by single sign-on": {
    file: "provider/single-sign-on/rights.ts",
    from: "if (active === 0 && left_at === null) throw new SignInRefused",
    to: "if (active === 0 && left_at === null && !groups) throw new SignInRefused",
  },
  "the last administrator may be demoted": {
    file: "provider/users/change-user.ts",
    from: "if (!(await hasAdministrator(transaction, actor.company_id))) throw invalid({ staff: needsAdministrator });",
    to: "",
  },
  "rights are not read again in the transaction": {
    file: "provider/http/caller-transaction.ts",
    from: "if (!mayCall(access, actor)) throw forbidden();",
    to: "",
  },
  "a user reads the documents of other branches": {
    file: "provider/access.ts",
    from: `if (scope === "branch") conditions.push(eb.or([eb("documents.branch_id", "=", actor.branch_id), own]));
    if (!isAdministrator(actor)) {`,
    to: "if (!isAdministrator(actor)) {",
  },
  "a document of one access group is read by all": {
    file: "provider/access.ts",
    from: 'conditions.push(eb.or([eb("documents.access_group_id", "is", null), ownGroup, own]));',
    to: "void ownGroup;",
  },
  "an older version of a document overwrites a newer one": {
    file: "provider/documents/change-document.ts",
    from: "if (change.version !== undefined && change.version !== before.version) {",
    to: "if (change.version !== undefined && change.version > before.version) {",
  },
  "a draft that is sent twice is issued twice": {
    file: "provider/documents/issue.ts",
    from: `    if (issued) return { ...issued, isNew: false };
    const resent`,
    to: "    const resent",
  },
  "a replaced document stays in force": {
    file: "provider/documents/replace.ts",
    from: 'status: "exited" as const,',
    to: 'status: "active" as const,',
  },
  "a document is replaced by two": {
    file: "provider/documents/issue.ts",
    from: "const replaced = await findReplaced(transaction, actor, draft);",
    to: `const { findDocument } = await import("./document-queries.ts");
    const replaced = draft.replaces ? await findDocument(transaction, actor, draft.replaces, "write") : undefined;`,
  },
  "withdrawing a document that is filed away later is forgotten": {
    file: "provider/scans/validity.ts",
    from: '(status_before_archive ?? status) === "exited"',
    to: 'status === "exited"',
  },
  "the day of expiry is that of London": {
    file: "provider/scans/validity.ts",
    from: "switch (validityOf(document, dateIn(timezone, now))) {",
    to: 'switch (validityOf(document, dateIn("Europe/London", now))) {',
  },
  "a number range does not begin again with the year": {
    file: "provider/number-ranges/range-numbers.ts",
    from: "restarts === 1 && next_year < yearOf(date) ? 1 : next",
    to: "restarts === 1 && next_year < yearOf(date) - 1 ? 1 : next",
  },
  "a number is left out": {
    file: "provider/number-ranges/range-numbers.ts",
    from: "const taken = { next: place + 1, next_year: yearOf(date) };",
    to: "const taken = { next: place + (place % 7 === 0 ? 2 : 1), next_year: yearOf(date) };",
  },
  "scans are judged twice": {
    file: "provider/scans/judging/judge.ts",
    from: `    .deleteFrom("scans_to_judge")
    .where(isAmong(db, "scan_id", ids))`,
    to: `    .deleteFrom("scans_to_judge")
    .where(isAmong(db, "scan_id", ids.slice(1)))`,
  },
  "an alert of the same day is raised again": {
    file: "provider/alerts/raise.ts",
    from: '.where("day", "=", day)',
    to: '.where("day", "<", day)',
  },
  "a completed alert stays completed when it happens again": {
    file: "provider/alerts/raise.ts",
    from: "if (status !== completed) return id;",
    to: "if (status !== completed || id > 0) return id;",
  },
  "owners are reminded again and again": {
    file: "provider/documents/remind.ts",
    from: '.where("reminders.days", "=", dueOn(date))',
    to: '.where("reminders.days", "<", dueOn(date))',
  },
  "a webhook is delivered again although it was": {
    file: "provider/webhooks/store-attempt.ts",
    from: `const next = isDelivered || status === gone ? undefined : nextAttempt({ begun_at, attempts }, now());
  const time = now().toISOString();
  const isDisabled = await db.transaction().execute(async (transaction) => {
    await lockWebhook(transaction, webhook.id);
    const { numUpdatedRows } = await transaction
      .updateTable("webhook_deliveries")
      .set({
        state: isDelivered ? "delivered" : next`,
    to: `const isLost = isDelivered && attempts % 3 === 1;
  const next = (isDelivered && !isLost) || status === gone ? undefined : nextAttempt({ begun_at, attempts }, now());
  const time = now().toISOString();
  const isDisabled = await db.transaction().execute(async (transaction) => {
    await lockWebhook(transaction, webhook.id);
    const { numUpdatedRows } = await transaction
      .updateTable("webhook_deliveries")
      .set({
        state: isDelivered && !isLost ? "delivered" : next`,
  },
  "a delivery that failed is not repeated": {
    file: "provider/webhooks/store-attempt.ts",
    from: 'state: isDelivered ? "delivered" : next ? "waiting" : "failed",',
    to: 'state: isDelivered ? "delivered" : next && attempts > 1 ? "waiting" : "failed",',
  },
  "a withdrawal is not announced to webhooks": {
    file: "provider/documents/apply-change.ts",
    from: 'if (action !== "exit" && action !== "archive") return;',
    to: 'if (action !== "archive") return;',
  },
  "undoing a bulk action overwrites what was changed since": {
    file: "provider/bulk-actions/run-bulk-action.ts",
    from: "if (before && row.expected_version !== null && before.version !== row.expected_version) {",
    to: "if (before && row.expected_version !== null && before.version < row.expected_version) {",
  },
  "a prolongation is missing in the audit trail": {
    file: "provider/documents/apply-change.ts",
    from: "await audit(db, { actor, action: auditActions[action], subject, at: now(), before: auditedBefore, after });",
    to: 'if (action !== "prolong") await audit(db, { actor, action: auditActions[action], subject, at: now(), before: auditedBefore, after });',
  },
  "whoever sees a draft releases it": {
    file: "provider/releases/decide.ts",
    from: `  if (waiting.drafter_id === actor.id) throw new HttpError(403, "Another user has to release what you drafted");
  if (waiting.state !== "waiting") throw conflict(\`It was \${waiting.state} meanwhile\`);
  if (waiting.version !== version) throw await staleConflict(db, actor, "release", id);
  if (waiting.first_id === actor.id) throw new HttpError(403, "You have released it: now another user has to");
  if (!may_release) throw notFound();`,
    to: `  if (waiting.state !== "waiting") throw conflict(\`It was \${waiting.state} meanwhile\`);
  if (waiting.version !== version) throw await staleConflict(db, actor, "release", id);
  void may_release;`,
  },
  "a draft is released in a version that nobody saw": {
    file: "provider/releases/decide.ts",
    from: 'if (waiting.version !== version) throw await staleConflict(db, actor, "release", id);',
    to: "",
  },
  "one user releases what two have to": {
    file: "provider/releases/decide.ts",
    from: "if (waiting.needed === 2 && waiting.first_id === null) {",
    to: "if (waiting.needed > 2 && waiting.first_id === null) {",
  },
  "a release is missing in the audit trail": {
    file: "provider/releases/decide.ts",
    from: 'await audit(db, { actor, action: "released", subject, at });',
    to: "void subject;",
  },
  "rows of a bulk issue go past a rule": {
    file: "provider/documents/issue.ts",
    from: "needed > 0\n",
    to: "needed > 0 && !note\n",
  },
  "a document is prolonged past a rule": {
    file: "provider/documents/change-document.ts",
    from: 'const heldActs: readonly Action[] = ["prolong", ',
    to: "const heldActs: readonly Action[] = [",
  },
  "removed users are billed": {
    file: "provider/tariffs/bill.ts",
    from: `    .where("active", "=", TRUE)
    .select((eb) => eb.fn.countAll<number>().as("users"))`,
    to: '    .select((eb) => eb.fn.countAll<number>().as("users"))',
  },
  "an erased user's name stays in comments": {
    file: "provider/users/erase.ts",
    from: "await eraseInComments(db, company_id, words);",
    to: "",
  },
};
