import { client } from "../identity-provider.ts";
import type { CallName } from "../scim.ts";
import { branchNames } from "./cast.ts";
import { draft } from "./drafters.ts";
import { type Member, newMember } from "./visitor.ts";
import type { Habit, Visitor } from "./visitor.ts";

/** A company's directory, which adds, changes and removes users by SCIM, and its identity provider, where they sign in. */

/** The administrator connects both, and again once the token has ended. */
export const connect: Habit = async (visitor) => {
  const { company, me } = visitor;
  const { directory } = company;
  if (!directory.address) {
    const body = { ...client, issuer: `https://id.${company.key}.example` };
    const { status, json } = await visitor.call("setIdentityProvider", { body });
    if (status === 200) directory.address = json.sign_in_address.split("/").at(-1);
  }
  if (directory.token) return;
  for (const { id, name } of await visitor.rows("listAccessGroups")) directory.groups[name] = id;
  const name = `Directory ${(me.memory.directories = (me.memory.directories ?? 0) + 1)}`;
  const body = { name, expires_on: visitor.day(200), scope: "scim", access_group: "Drafters" };
  const { status, json } = await visitor.call("createOwnKey", { body });
  if (status === 201) Object.assign(directory, { token: { name, token: json.key }, owner: me });
};

type Sending = [name: CallName, input: object, employee?: Member];

/** Sends the directory's changes: doubled, out of order, or those of an earlier visit that the network held back. */
async function sendAll(visitor: Visitor, sendings: Sending[]) {
  const { choices, company } = visitor;
  const { directory } = company;
  const { token, owner } = directory;
  if (!token || !owner) return;
  visitor.me.person = { ...owner.person, name: token.name };
  const late = directory.late.splice(0);
  if (choices.happens(0.3)) directory.late.push(...sendings.splice(-1));
  const doubled = sendings.filter(() => choices.happens(0.3));
  const send = async ([name, input, employee]: Sending) => {
    const { status, json } = await visitor.as(token, name, input);
    if (status === 401) directory.token = undefined;
    if (status === 201 && employee) employee.memory.id = json.id;
  };
  await Promise.allSettled([...sendings, ...late, ...doubled].map((sending) => send(sending)));
  const { json } = await visitor.as(token, "listScimUsers", { query: { count: 100 } });
  // It finds by their name those whose replies got lost.
  const found = new Map([json].flat().map((row) => [row?.email, row?.id]));
  for (const employee of directory.employees) employee.memory.id ??= found.get(employee.email);
}

function add({ company }: Visitor): Sending {
  const { employees } = company.directory;
  const n = employees.length + 1;
  const [name, email] = [`Employee ${n} of ${company.key}`, `employee-${n}@${company.key}.example`];
  const employee = newMember({ company: company.name, name, email, group: "Drafters", branch: "Leeds" });
  employees.push(employee);
  return ["addScimUser", { body: { name, email, branch: branchNames[n % 3] } }, employee];
}

function change({ choices, pick, company }: Visitor, employee: Member): Sending {
  const { id, title = 0 } = employee.memory;
  const params = { id };
  const group = company.directory.groups[pick(["Drafters", "Approvers"])!];
  const body = pick([{ active: false }, { active: true }, { active: true }, { role: `Title ${title}` }])!;
  employee.memory.title = title + 1;
  if (choices.happens(0.1)) return ["removeScimUser", { params }];
  if (choices.happens(0.2) && group) return ["moveScimUser", { params: { id, group } }];
  return ["changeScimUser", { params, body }];
}

export const provision: Habit = async (visitor) => {
  const known = visitor.company.directory.employees.filter(({ memory }) => memory.id);
  const sendings = known.length < 3 || visitor.choices.happens(0.1) ? [add(visitor)] : [];
  const employee = visitor.pick(known);
  if (employee) sendings.push(change(visitor, employee), change(visitor, employee));
  await sendAll(visitor, sendings);
};

/** The newest employee loses the account while at work, or gets it back. */
export const lock: Habit = async (visitor) => {
  const memory = visitor.company.directory.employees.at(-1)?.memory;
  if (!memory?.id) return provision(visitor);
  memory.isLocked = !memory.isLocked;
  await sendAll(visitor, [["changeScimUser", { params: { id: memory.id }, body: { active: !memory.isLocked } }]]);
};

/** Signs in at the identity provider, perhaps by two clicks, with the groups of that day, and works. */
export const signOn: Habit = async (visitor) => {
  const { company, choices, pick } = visitor;
  const { directory, people } = company;
  const employee = choices.happens(0.5)
    ? directory.employees.at(-1)
    : pick([...directory.employees, ...people.slice(4, 6)]);
  if (!employee || !directory.address) return;
  Object.assign(visitor.me, employee);
  const { address } = directory;
  const { status, json } = await visitor.anonymously("beginSingleSignOn", { body: { address } });
  if (status !== 200) return;
  const { email, name } = employee;
  const group = pick(["drafters", "drafters", "approvers", "", "canteen"])!;
  const claims = { sub: `subject of ${email}`, email, email_verified: true, name, groups: group ? [group] : [] };
  const answer = visitor.authorize(json.url, claims);
  const send = async () => {
    const body = { address, attempt: json.attempt, answer };
    const reply = await visitor.as(undefined, "endSingleSignOn", { body, claims });
    if (reply.status === 200) visitor.remember(reply.json.token);
    return reply.status === 200;
  };
  const results = await Promise.allSettled([send(), ...(choices.happens(0.3) ? [send()] : [])]);
  if (results.some((result) => result.status === "fulfilled" && result.value)) await draft(visitor);
};
