import { describe, expect, test } from "vitest";
import { afterTests, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { startNameServer } from "#tests/fixtures/dns-server.ts";
import { requestOf } from "#tests/fixtures/call.ts";
import { daysInMs, hoursInMs } from "#lib/units.ts";
import { allShownHosts } from "./host-queries.ts";

const suite = describe.runIf(hasDatabase());

const host = "check.hallam.example";
const record = `_sealdesk.${host}`;

/** Two companies beside a name server that the test fills. */
async function withHosts() {
  const dns = await startNameServer();
  afterTests(async () => dns.close());
  const fixture = await testProvider({ dnsServers: [dns.address] });
  const { call, company, run, clock } = fixture;
  const [hallam, marsden] = [await company("Hallam"), await company("Marsden")];
  type By = { token: string };
  const list = async ({ token }: By = hallam.admin) => (await call("listHosts", { token })).json;
  const request = ({ token }: By = hallam.admin, name = host) => call("requestHost", { token, body: { host: name } });
  /** Requests a host and has DNS prove it. */
  async function confirm({ token }: By = hallam.admin, name = host) {
    const { json } = await request({ token }, name);
    dns.set(json.record_name, json.record_value);
    return (await call("checkHost", { token, params: { id: json.id } })).json;
  }
  const later = async (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms);
    // Whoever looks has not been away.
    const times = { used_at: clock.now.toISOString(), expires_at: "2099-01-01T00:00:00.000Z" };
    await fixture.db.updateTable("tokens").set(times).execute();
    await run("hosts");
    await run("mail");
  };
  const issued = async ({ token }: By = hallam.admin) => (await fixture.issue(token)).json;
  return { ...fixture, dns, hallam, marsden, list, request, confirm, later, issued };
}

suite("GET /company/hosts", () => {
  test("is for administrators, and empty at first", async () => {
    const { call, hallam, list, user, group } = await withHosts();
    expect(await list()).toEqual([]);
    await group(hallam.id, "Almost", { co_profile: "C:R/W/C", roles: "C:R/C" });
    const almost = await user(hallam.id, { group: "Almost" });
    expect((await call("listHosts", { token: almost.token })).status).toBe(403);
  });

  test("shows a company its own hosts alone", async () => {
    const { list, confirm, marsden } = await withHosts();
    await confirm();
    expect(await list(marsden.admin)).toEqual([]);
  });
});

suite("POST /company/hosts", () => {
  test("tells a record that only this company can know, and that proves the host once it is there", async () => {
    const { request, call, hallam, dns, list, mails } = await withHosts();
    const { status, json } = await request(hallam.admin, "Check.Hallam.example.");
    expect(status).toBe(201);
    expect(json).toMatchObject({ host, state: "requested", record_name: record, is_used: false, problem: "" });
    expect(json.record_value).toMatch(/^sealdesk-confirm=[\w-]{22}$/);
    const check = async () =>
      (await call("checkHost", { token: hallam.admin.token, params: { id: json.id } })).json as Record<string, unknown>;
    expect(await check()).toMatchObject({ state: "requested", problem: "absent" });
    dns.set(record, "v=spf1 -all", `${json.record_value}x`);
    expect(await check()).toMatchObject({ state: "requested", problem: "absent" });
    dns.set(record, "v=spf1 -all", json.record_value);
    expect(await check()).toMatchObject({ state: "confirmed", problem: "", is_used: true, ends_at: null });
    expect((await call("listAudit", { token: hallam.admin.token, query: { action: "host" } })).json).toMatchObject([
      { action: "host confirmed", actor: "Sealdesk", changes: [{ field: "host", before: null, after: host }] },
      { action: "host requested" },
    ]);
    expect(mails).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  test("refuses what can be no company's host, with the reason", async () => {
    const { request, hallam } = await withHosts();
    const refused = [
      "",
      "localhost",
      "192.0.2.1",
      "a b.example",
      "https://a.example",
      "sealdesk.example",
      "former.example",
    ];
    for (const name of [...refused, `${"a".repeat(60)}.`.repeat(3) + `${"b".repeat(20)}.example`]) {
      const { status, json } = await request(hallam.admin, name);
      expect([name, status, Object.keys(json.errors ?? {})]).toEqual([name, 422, ["host"]]);
    }
  });

  test("reads an international domain as DNS has it", async () => {
    const { request, hallam } = await withHosts();
    expect((await request(hallam.admin, "prüfung.hallam.example")).json.host).toBe("xn--prfung-4ya.hallam.example");
  });

  test("allows three at once, and each once", async () => {
    const { request, hallam } = await withHosts();
    await request();
    expect((await request()).status).toBe(422);
    for (const name of ["two.example", "three.example"]) expect((await request(hallam.admin, name)).status).toBe(201);
    expect((await request(hallam.admin, "four.example")).status).toBe(409);
  });

  test("reserves nothing for who can't prove it: of two companies the one with the record has the host", async () => {
    const { request, confirm, dns, call, hallam, marsden, list } = await withHosts();
    const squatter = (await request(hallam.admin)).json;
    expect(await confirm(marsden.admin)).toMatchObject({ state: "confirmed" });
    // Even who can write both records gets it for one company alone.
    dns.set(record, squatter.record_value);
    const again = await call("checkHost", { token: hallam.admin.token, params: { id: squatter.id } });
    expect(again.json).toMatchObject({ state: "requested", problem: "taken" });
    expect(await list(hallam.admin)).toMatchObject([{ is_used: false }]);
  });
});

suite("POST /company/hosts/{id}/check", () => {
  test("knows no host of another company", async () => {
    const { confirm, call, marsden } = await withHosts();
    const { id } = await confirm();
    for (const name of ["checkHost", "removeHost"] as const)
      expect((await call(name, { token: marsden.admin.token, params: { id } })).status).toBe(404);
  });

  test.each(["silence", "noise", "refusal"] as const)(
    "takes %s of a name server for no answer",
    async (manner) => {
      const { request, call, dns, hallam } = await withHosts();
      const { json } = await request();
      dns.set(json.record_name, json.record_value);
      dns.manner = manner;
      const { json: checked } = await call("checkHost", { token: hallam.admin.token, params: { id: json.id } });
      expect(checked).toMatchObject({ state: "requested", problem: "unanswered" });
    },
    30_000,
  );

  test("finds the record among many and long ones", async () => {
    const { request, call, dns, hallam } = await withHosts();
    const { json } = await request();
    dns.set(json.record_name, "x".repeat(700), json.record_value, "");
    const checked = await call("checkHost", { token: hallam.admin.token, params: { id: json.id } });
    expect(checked.json.state).toBe("confirmed");
  });
});

suite("POST /company/hosts/{id}/remove", () => {
  test("forgets a host that no code names, so that another company can prove it", async () => {
    const { confirm, call, hallam, marsden, list } = await withHosts();
    const { id } = await confirm();
    expect((await call("removeHost", { token: hallam.admin.token, params: { id } })).status).toBe(204);
    expect(await list()).toEqual([]);
    expect(await confirm(marsden.admin)).toMatchObject({ state: "confirmed" });
  });

  test("keeps one that codes name for its company, which alone can prove it again", async () => {
    const { confirm, call, hallam, marsden, list, issued } = await withHosts();
    const { id } = await confirm();
    const { id: document } = await issued();
    await call("removeHost", { token: hallam.admin.token, params: { id } });
    expect(await list()).toMatchObject([{ host, state: "ended", is_used: false }]);
    const { json } = await call("getDocument", { token: hallam.admin.token, params: { id: document } });
    expect(json.verify_url).toMatch(/^https:\/\/sealdesk\.example\/v\//);
    expect(await confirm(marsden.admin)).toMatchObject({ state: "requested", problem: "taken" });
    expect(await confirm()).toMatchObject({ id, state: "confirmed" });
    const after = await call("getDocument", { token: hallam.admin.token, params: { id: document } });
    expect(after.json.verify_url).toMatch(/^https:\/\/check\.hallam\.example\/v\//);
  });

  test("shows nothing at a host that is requested again until DNS proves it anew", async () => {
    const { confirm, request, call, hallam, issued, db, later } = await withHosts();
    const { id } = await confirm();
    await issued();
    await call("removeHost", { token: hallam.admin.token, params: { id } });
    // The record of before has another token.
    const { json } = await request();
    expect(json.state).toBe("requested");
    await later(hoursInMs(1));
    expect([...(await allShownHosts(db)).keys()]).toEqual([]);
  });
});

suite("the job hosts", () => {
  test("confirms a new host within minutes, without anybody who asks", async () => {
    const { request, dns, later, list } = await withHosts();
    const { json } = await request();
    await later(0);
    expect(await list()).toMatchObject([{ state: "requested", problem: "absent" }]);
    dns.set(json.record_name, json.record_value);
    await later(hoursInMs(0.1));
    expect(await list()).toMatchObject([{ state: "confirmed" }]);
  });

  test("forgets a request that was not proved for a week", async () => {
    const { request, later, list } = await withHosts();
    await request();
    await later(daysInMs(6.9));
    expect(await list()).toHaveLength(1);
    await later(daysInMs(0.2));
    expect(await list()).toEqual([]);
  });

  test("looks once a day, warns administrators of a record that is gone, and loses the host after a week", async () => {
    const { confirm, dns, later, list, mails, hallam, marsden, issued, db } = await withHosts();
    await confirm();
    await issued();
    const looks = dns.asked.length;
    await later(hoursInMs(23));
    expect(dns.asked).toHaveLength(looks);
    dns.set(record);
    await later(hoursInMs(2));
    expect(await list()).toMatchObject([{ state: "missing", problem: "absent", is_used: false }]);
    expect(mails).toMatchObject([{ to: hallam.admin.email, subject: `The DNS record of ${host} is missing` }]);
    expect(mails[0]!.text).toContain(`${record}  TXT  sealdesk-confirm=`);
    expect(mails[0]!.text).toContain("Put it back by 29-11-2026.");
    // Its codes still open until then, and new ones no longer name it.
    expect([...(await allShownHosts(db)).keys()]).toEqual([host]);
    expect((await issued()).verify_url).toContain("https://sealdesk.example/v/");
    await later(daysInMs(6.9));
    expect(mails).toHaveLength(1);
    await later(daysInMs(0.2));
    expect(await list()).toMatchObject([{ state: "ended" }]);
    expect(mails.map(({ to }) => to)).not.toContain(marsden.admin.email);
    expect(mails[1]!.subject).toBe(`${host} no longer shows your documents`);
    expect([...(await allShownHosts(db)).keys()]).toEqual([]);
  });

  test("keeps a host whose record comes back in time", async () => {
    const { confirm, dns, later, list } = await withHosts();
    const { record_value } = await confirm();
    dns.set(record);
    await later(daysInMs(2));
    dns.set(record, record_value);
    await later(hoursInMs(2));
    expect(await list()).toMatchObject([{ state: "confirmed", is_used: true, ends_at: null }]);
    await later(daysInMs(30));
    expect(await list()).toMatchObject([{ state: "confirmed" }]);
  });

  test("loses no host in a week because a name server is down, but in a month", async () => {
    const { confirm, dns, later, list } = await withHosts();
    await confirm();
    dns.manner = "refusal";
    for (const days of [2, 10, 10]) await later(daysInMs(days));
    expect(await list()).toMatchObject([{ state: "missing", problem: "unanswered" }]);
    await later(daysInMs(11));
    expect(await list()).toEqual([]);
  });
});

suite("mails to holders", () => {
  test("lead to the host that the document’s code names", async () => {
    const { confirm, issued, hallam, call, mails } = await withHosts();
    const before = await issued();
    await confirm();
    const { token } = hallam.admin;
    await call("updateRecipientSettings", { token, body: { delivers: "1", delivery_days: "90" } });
    const after = await issued();
    for (const [{ id }, origin] of [
      [before, "https://sealdesk.example"],
      [after, "https://check.hallam.example"],
    ] as const) {
      await call("sendDocument", { token, params: { id }, body: { name: "Rita", email: "rita@recipient.example" } });
      const links = mails.at(-1)!.text.match(/https:\S+/g)!;
      expect(links.map((link) => new URL(link).origin)).toEqual([origin, origin]);
    }
  });
});

suite("codes", () => {
  test("name the company's host from its confirmation on, and earlier ones keep theirs", async () => {
    const { confirm, issued, hallam, marsden, call } = await withHosts();
    const before = await issued();
    await confirm();
    expect((await issued()).verify_url).toMatch(/^https:\/\/check\.hallam\.example\/v\//);
    expect((await issued(marsden.admin)).verify_url).toMatch(/^https:\/\/sealdesk\.example\/v\//);
    const { json } = await call("getDocument", { token: hallam.admin.token, params: { id: before.id } });
    expect(json.verify_url).toBe(before.verify_url);
    // All are still known at the usual address.
    expect((await call("verify", { params: { code: before.code } })).status).toBe(200);
  });

  test("of a company are unknown on another one's host, to every call", async () => {
    const { issued, hallam, marsden, provider, call, run } = await withHosts();
    const { id, code } = await issued();
    await run("seals");
    const { headers } = await call("getQrCode", { token: hallam.admin.token, params: { id } });
    expect(headers.get("content-type")).toBe("image/png");
    const statuses = async (hostCompany: number) => {
      const calls = [
        ["verify", { params: { code } }],
        ["recordScan", { params: { code }, body: {} }],
        ["locateScan", { params: { code }, body: { scan: "1", place: "Preston" } }],
        ["complain", { params: { code }, body: { scan: "", text: "It looks wrong" } }],
        ["getLogProof", { params: { code } }],
        ["getOpenPage", { params: { code, n: 1 } }],
      ] as const;
      const replies = calls.map(async ([name, input]) => {
        const [request, from] = requestOf(name, input);
        return [name, (await provider.fetch(request, { ...from, hostCompany })).status] as const;
      });
      return Object.fromEntries(await Promise.all(replies));
    };
    const foreign = await statuses(marsden.id);
    expect([...new Set(Object.values(foreign))]).toEqual([404]);
    expect(await statuses(hallam.id)).toMatchObject({ verify: 200, recordScan: 201, complain: 204 });
  });
});
