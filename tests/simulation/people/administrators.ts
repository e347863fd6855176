import { password } from "../../fixtures/template.ts";
import { branchNames, groups, members } from "./cast.ts";
import type { Habit, Visitor } from "./visitor.ts";

/** Administrators set up their company, and change who may do what while people work. */

const place = { country: "United Kingdom", city: "Leeds" };

export const found: Habit = async (visitor) => {
  for (const name of branchNames) await visitor.call("createBranch", { body: { name, ...place } });
  for (const [name, permissions] of Object.entries(groups)) {
    await visitor.call("createAccessGroup", { body: { name, identity_groups: name.toLowerCase(), ...permissions } });
  }
  for (const { email, name, group, branch } of visitor.company.people.slice(1)) {
    await visitor.call("createUser", { body: { name, email, staff: group, branch } });
  }
};

/** Invited people set their password by the newest mail. */
export const join: Habit = async (visitor) => {
  const token = visitor.mailedToken();
  if (!token) return;
  const body = { password, password_confirmation: password };
  const { status } = await visitor.as({ name: "link", token }, "signup", { body });
  if (status === 200) await visitor.call("currentUser");
};

export const invite: Habit = async (visitor) => {
  const { me, company, pick, choices } = visitor;
  const n = (me.memory.invited = (me.memory.invited ?? 0) + 1);
  const { group, branch } = pick(members)!;
  const body = {
    name: `Newcomer ${n} of ${company.key}`,
    email: `new-${n}@${company.key}.example`,
    staff: group,
    branch,
  };
  const { json } = await visitor.call("createUser", { body });
  if (json?.id && choices.happens(0.4)) await visitor.call("inviteUser", { params: { id: json.id } });
};

/** Takes a right away or gives it back. */
export const changeGroup: Habit = async (visitor) => {
  const group = visitor.pick((await visitor.rows("listAccessGroups")).filter(({ name }) => name in groups));
  if (!group) return;
  const { id: _, members: __, usage: ___, ...form } = group;
  const usual = groups[group.name]!.docs!;
  const docs = visitor.pick([usual, usual, "P:R", ""])!;
  await visitor.call("updateAccessGroup", { params: { id: group.id }, body: { ...form, docs } });
};

/** Removes a colleague, and takes them back later or in the same minute. */
export const removeAndReturn: Habit = async (visitor) => {
  const { choices, me } = visitor;
  const colleagues = (await visitor.rows("listUsers")).filter(({ email }) => email !== me.email);
  const removed = await visitor.rows("listUsers", { active: 0 });
  const [leaving, returning] = [visitor.pick(colleagues), visitor.pick(removed)];
  if (leaving && removed.length < 2) await visitor.call("removeUser", { params: { id: leaving.id } });
  if (returning && choices.happens(0.7)) await visitor.call("reactivateUser", { params: { id: returning.id } });
};

/** Removes and erases somebody who never came. */
export const erase: Habit = async (visitor) => {
  const users = await visitor.rows("listUsers", { name: "Newcomer" });
  const leaving = visitor.pick(users.filter(({ name }) => name.startsWith("Newcomer")));
  if (!leaving) return invite(visitor);
  const params = { id: leaving.id };
  await visitor.call("removeUser", { params });
  await visitor.call("eraseUser", { params });
};

/** Saves the form of a removed colleague. */
export const saveRemoved: Habit = async (visitor) => {
  const user = visitor.pick(await visitor.rows("listUsers", { active: 0 }));
  if (user) await saveUser(visitor, user);
};

/** One of the two administrators is demoted, perhaps by the other at the same time, and promoted later. */
export const demote: Habit = async (visitor) => {
  const users = (await visitor.rows("listUsers")).filter(({ email }) => /^(admin|deputy)@/.test(email));
  const demoted = users.find(({ staff }) => staff === "Approvers");
  const colleague = demoted ?? users.find(({ email }) => email !== visitor.me.email);
  const user = visitor.choices.happens(0.7) ? colleague : visitor.pick(users);
  if (user) await saveUser(visitor, user, { staff: user.staff === "Approvers" ? "Administrator" : "Approvers" });
};

function saveUser(visitor: Visitor, user: any, change: object = {}) {
  const { name, email, role, staff, branch, version } = user;
  const form = { name, email, role: `${role}+`.slice(0, 20), staff, branch, version, ...change };
  return visitor.call("updateUser", { params: { id: user.id }, body: form });
}

/** Takes from drafters the right to issue, or gives it back. */
export const takeRight: Habit = async (visitor) => {
  const group = (await visitor.rows("listAccessGroups")).find(({ name }) => name === "Drafters");
  if (!group) return;
  const { id, members: _, usage: __, ...form } = group;
  const docs = form.docs === groups.Drafters!.docs ? "B:R" : groups.Drafters!.docs;
  await visitor.call("updateAccessGroup", { params: { id }, body: { ...form, docs } });
};

export const moveUsers: Habit = async (visitor) => {
  const [user, branch] = [
    visitor.pick(await visitor.rows("listUsers")),
    visitor.pick(await visitor.rows("listBranches")),
  ];
  if (!user || !branch) return;
  if (visitor.choices.happens(0.5))
    return void (await visitor.call("addUserToBranch", { params: { id: branch.id }, body: { user: user.id } }));
  await saveUser(visitor, user, { branch: branch.name });
};

export const renameBranch: Habit = async (visitor) => {
  const branch = visitor.pick(await visitor.rows("listBranches"));
  if (!branch) return;
  const name = /^(.*) II$/.exec(branch.name)?.[1] ?? `${branch.name} II`;
  await visitor.call("updateBranch", { params: { id: branch.id }, body: { name, ...place, version: branch.version } });
};

export const audit: Habit = async (visitor) => {
  await visitor.rows("listAudit");
  const document = visitor.pick(await visitor.rows("listDocuments"));
  if (document) await visitor.call("documentHistory", { params: { id: document.id }, query: { page: 1 } });
};

export const ranges: Habit = async (visitor) => {
  const { length } = await visitor.rows("listNumberRanges");
  if (length > 2) return;
  const body = {
    document_type: ["", "Contract", "Permit"][length],
    next_number: `${"RCP"[length]}-${visitor.day().slice(0, 4)}-001`,
    restarts: "1",
  };
  await visitor.call("createNumberRange", { body });
};
