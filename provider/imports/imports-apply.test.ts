import { describe, expect, test } from "vitest";
import { table, userColumns, withUsers } from "#tests/fixtures/imports.ts";
import { hasDatabase, password } from "#tests/fixtures/provider.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import { applyImports } from "./apply.ts";

const suite = describe.runIf(hasDatabase());

suite("POST /imports/{id}/apply", () => {
  test("saves changes and adds users, each with its entry in the audit trail and an invitation", async () => {
    const { apply, saved, ben, call, token, mails } = await withUsers();
    const rows = await apply("users", [
      userColumns,
      ["Ben B", "ben@c.example", "5", "Administrator", "", "x", `${ben.id}`],
      ["Cy", "cy@c.example", "", "Administrator", "Preston", "", ""],
    ]);
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(["saved", "added"]);
    expect(await saved(ben.id)).toMatchObject({ name: "Ben B", phone: "5", branch: "", info: "x", version: 2 });
    const { json: users } = await call("listUsers", { token, query: { email: "cy@" } });
    expect(users).toMatchObject([{ name: "Cy", branch: "Preston", staff: "Administrator" }]);
    expect(mails.some(({ to }) => to === "cy@c.example")).toBe(true);
    const { json: history } = await call("userHistory", { token, params: { id: ben.id } });
    expect(history[0]).toMatchObject({ actor: "Ada Admin", action: "changed" });
  });

  test("adds and changes branches", async () => {
    const { apply, call, token } = await withUsers();
    const rows = await apply("branches", [
      ["Name", "Country", "City", "Manager"],
      ["Leeds", "United Kingdom", "Leeds", "Ben"],
      ["preston", "United Kingdom", "Preston", ""],
      ["Hull", "", "Hull", ""],
      ["York", "United Kingdom", "York", "Nobody"],
    ]);
    expect(rows.map(({ state, why }: { state: string; why: string }) => [state, why])).toEqual([
      ["added", ""],
      ["saved", ""],
      ["refused", "Country: Enter the country"],
      ["refused", "Manager: Enter the exact name or email of a user of your company"],
    ]);
    const { json } = await call("listBranches", { token });
    expect(json.map(({ name, manager }: { name: string; manager: string }) => [name, manager])).toEqual([
      ["Leeds", "Ben"],
      ["preston", ""],
    ]);
  });

  test("refuses a record that was changed after the preview, by row", async () => {
    const { send, call, token, ben, run, rowsOf, saved } = await withUsers();
    const { json } = await send(
      "users",
      table([
        ["ID", "Phone"],
        [`${ben.id}`, "7"],
      ]),
    );
    const body = { name: "Ben", email: "ben@c.example", staff: "Administrator", phone: "8" };
    expect((await call("updateUser", { token, params: { id: ben.id }, body })).status).toBe(200);
    await call("applyImport", { token, params: { id: json.id } });
    await run("imports");
    expect(await rowsOf(json.id)).toMatchObject([
      { state: "refused", why: expect.stringMatching(/^Ada Admin changed this at/) },
    ]);
    expect((await saved(ben.id)).phone).toBe("8");
  });

  test("is done once", async () => {
    const { send, call, token, ben, run } = await withUsers();
    const { json } = await send(
      "users",
      table([
        ["ID", "Phone"],
        [`${ben.id}`, "7"],
      ]),
    );
    const apply = () => call("applyImport", { token, params: { id: json.id } });
    const statuses = (await Promise.all([apply(), apply()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    await run("imports");
    expect((await call("getImport", { token, params: { id: json.id } })).json.status).toBe("done");
    expect((await apply()).status).toBe(409);
  });

  test("five of a user run at once", async () => {
    const { send, call, token, run } = await withUsers();
    const start = async (n: number) => {
      const { json } = await send(
        "branches",
        table([
          ["Name", "Country", "City"],
          [`Branch ${n}`, "France", "Lille"],
        ]),
      );
      return { id: json.id, ...(await call("applyImport", { token, params: { id: json.id } })) };
    };
    for (let n = 0; n < 5; n++) expect((await start(n)).status).toBe(200);
    const { id, status, json } = await start(5);
    expect([status, json.message]).toEqual([
      409,
      "5 imports of yours are being applied. Wait until one of them is done",
    ]);
    await run("imports");
    expect((await call("applyImport", { token, params: { id } })).status).toBe(200);
  });

  test("continues after a kill with no row twice and none missing", async () => {
    const { send, call, token, rowsOf, services, db } = await withUsers();
    const added = Array.from({ length: 12 }, (_, n) => [`Branch ${n}`, "United Kingdom", "Leeds"]);
    const { json } = await send("branches", table([["Name", "Country", "City"], ...added]));
    await call("applyImport", { token, params: { id: json.id } });
    for (let kills = 0; kills < 12; kills++) {
      const killed = new AbortController();
      // Between the change and its row's state nothing can be seen: the kill is before either is stored.
      let rows = 0;
      const now = () => {
        if (++rows > 1) killed.abort();
        return services.now();
      };
      await applyImports({ ...services, now }, killed.signal);
    }
    await applyImports(services, new AbortController().signal);
    expect(new Set((await rowsOf(json.id)).map(({ state }: { state: string }) => state))).toEqual(new Set(["added"]));
    expect((await call("listBranches", { token })).json.length).toBe(13);
    const entries = db.selectFrom("audit").where("entity", "=", "branch").where("action", "=", "added");
    expect((await entries.select("id").execute()).length).toBe(12);
  });

  test("two processes at once apply each row once", async () => {
    const { send, call, token, rowsOf, services } = await withUsers();
    const added = Array.from({ length: 8 }, (_, n) => [`Branch ${n}`, "United Kingdom", "Leeds"]);
    const { json } = await send("branches", table([["Name", "Country", "City"], ...added]));
    await call("applyImport", { token, params: { id: json.id } });
    const { signal } = new AbortController();
    await Promise.all([applyImports(services, signal), applyImports(services, signal)]);
    expect((await rowsOf(json.id)).map(({ state, why }: { state: string; why: string }) => [state, why])).toEqual(
      added.map(() => ["added", ""]),
    );
    expect((await call("listBranches", { token })).json.length).toBe(9);
  });

  test("refuses the rest if the user loses the right or is removed", async () => {
    for (const [fate, why] of [
      ["right", "Your access group does not allow this"],
      ["user", "You can’t sign in any more"],
    ] as const) {
      const { call, company, user, group, branch, send, run, db } = await withUsers();
      const { id } = await company();
      await branch(id, "Preston");
      await group(id, "Editors", { branches: "C:R/W/C" });
      const { id: nothing } = await group(id, "Nothing", {});
      const editor = await user(id, { group: "Editors" });
      const { json } = await send(
        "branches",
        table([
          ["Name", "City"],
          ["Preston", "Hull"],
        ]),
        editor.token,
      );
      const params = { id: json.id };
      expect((await call("applyImport", { token: editor.token, params })).status).toBe(200);
      const change = fate === "right" ? { access_group_id: nothing } : { active: 0 };
      await db.updateTable("users").set(change).where("id", "=", editor.id).execute();
      await run("imports");
      const row = await db
        .selectFrom("import_rows")
        .where("import_id", "=", json.id)
        .select(["state", "why"])
        .execute();
      expect(row).toEqual([{ state: "refused", why }]);
    }
  });

  test("refuses by row what only saving finds out", async () => {
    const { apply, call, token, ben } = await withUsers();
    const body = { name: "Al", email: "al@c.example", staff: "Administrator" };
    expect((await call("createUser", { token, body })).status).toBe(201);
    const rows = await apply("users", [
      ["ID", "Email"],
      [`${ben.id}`, "al@c.example"],
    ]);
    expect(rows).toMatchObject([{ state: "refused", why: expect.stringMatching(/^Email: /) }]);
  });

  test("changes no group or branch by which the user would gain rights", async () => {
    const { companyId, user, group, send, call, run, db } = await withUsers();
    await group(companyId, "Clerks", { users: "C:R/W/C" });
    const clerk = await user(companyId, { group: "Clerks", name: "Clara" });
    const rows = [
      ["ID", "Email", "Name", "Access group"],
      [`${clerk.id}`, clerk.email, "Clara", "Administrator"],
      ["", "boss@c.example", "Boss", "Administrator"],
    ];
    const { json } = await send("users", table(rows), clerk.token);
    await call("applyImport", { token: clerk.token, params: { id: json.id } });
    await run("imports");
    const stored = await db.selectFrom("import_rows").select(["state", "why"]).execute();
    const why = "Access group: Choose an access group that may not do more than you";
    expect(stored).toEqual([
      { state: "refused", why },
      { state: "refused", why },
    ]);
  });

  test("needs a proof before it changes an address that a user signs in with, and sends a link", async () => {
    const { companyId, user, send, call, token, run, rowsOf, saved, mails, clock, db } = await withUsers();
    const dora = await user(companyId, { name: "Dora" });
    const { json } = await send(
      "users",
      table([
        ["ID", "Email"],
        [`${dora.id}`, "dora@new.example"],
      ]),
    );
    expect(json.needs_proof).toBe(true);
    clock.now = new Date(clock.now.getTime() + hoursInMs(1));
    const apply = () => call("applyImport", { token, params: { id: json.id } });
    expect((await apply()).json.kind).toBe("proof");
    expect((await call("getImport", { token, params: { id: json.id } })).json.status).toBe("ready");
    await call("prove", { token, body: { current_password: password } });
    expect((await apply()).status).toBe(200);
    await run("imports");
    expect(await rowsOf(json.id)).toMatchObject([{ state: "saved" }]);
    expect(await saved(dora.id)).toMatchObject({ email: dora.email, pending_email: "dora@new.example" });
    expect(mails.some(({ to }) => to === "dora@new.example")).toBe(true);
    expect((await db.selectFrom("email_changes").selectAll().execute()).length).toBe(1);
  });

  test("waits if the limit of invitations is reached, and resumes", async () => {
    const { send, call, token, run, rowsOf, clock } = await withUsers();
    const added = Array.from({ length: 52 }, (_, n) => [`User ${n}`, `user-${n}@c.example`, "Administrator"]);
    const { json } = await send("users", table([["Name", "Email", "Access group"], ...added]));
    const params = { id: json.id };
    await call("applyImport", { token, params });
    await run("imports");
    // One was sent to Ben.
    const { json: waiting } = await call("getImport", { token, params });
    expect(waiting).toMatchObject({ status: "running", counts: { added: 49, new: 3 } });
    expect(waiting.waiting).toBe("You have sent many invitations");
    const minutes = (Date.parse(waiting.waits_until) - clock.now.getTime()) / minutesInMs(1);
    expect([minutes > 0, minutes <= 60]).toEqual([true, true]);
    expect(waiting.expires_at > new Date(clock.now.getTime() + daysInMs(7)).toISOString()).toBe(true);
    clock.now = new Date(clock.now.getTime() + hoursInMs(1));
    await run("limits");
    await run("imports");
    const states = (await rowsOf(json.id)).map(({ state }: { state: string }) => state);
    expect(states.filter((state: string) => state === "added").length).toBeGreaterThanOrEqual(49);
  });

  test("waits sooner or later as the operator has set it, and says beforehand when", async () => {
    const { send, call, token, run } = await withUsers({ invitationsPerDay: 12 });
    const added = Array.from({ length: 5 }, (_, n) => [`User ${n}`, `user-${n}@c.example`, "Administrator"]);
    const { json } = await send("users", table([["Name", "Email", "Access group"], ...added]));
    expect(json.invitations).toEqual({ an_hour: 3, a_day: 12 });
    const params = { id: json.id };
    await call("applyImport", { token, params });
    await run("imports");
    // One of the three was sent to Ben.
    expect((await call("getImport", { token, params })).json).toMatchObject({ counts: { added: 2, new: 3 } });
  });
});
