/** Who there is, where they work, and how often they do what. */

export type Group = Partial<
  Record<"docs" | "co_profile" | "branches" | "tariffs" | "alerts" | "map" | "users" | "roles", string>
>;

/** The companies, with the numbers by which plans name them. */
export const companyNames = { north: "Northern Tests", south: "Southern Works", far: "Far Island" } as const;
export const timeZones = { north: "Europe/London", south: "Europe/Berlin", far: "Pacific/Auckland" } as const;
export type CompanyKey = keyof typeof companyNames;
export const companyKeys = Object.keys(companyNames) as CompanyKey[];

export const branchNames = ["Leeds", "York", "Hull"];

/** Access groups that administrators add to the first ones. */
export const groups: Record<string, Group> = {
  Drafters: { docs: "B:R/W/C", branches: "B:R", alerts: "B:R" },
  Approvers: { docs: "C:R/W/L", alerts: "C:R/W", map: "C:R", users: "C:R" },
  Personal: { docs: "P:R/W/C" },
  Helpers: { docs: "C:R/W/C/L", users: "B:R/W/C", branches: "B:R/W", roles: "C:R" },
};

/** The members of each company; the first one founded it. */
export const members = [
  { role: "admin", name: "Ada Admin", group: "Administrator", branch: "" },
  { role: "deputy", name: "Ben Deputy", group: "Administrator", branch: "Leeds" },
  { role: "inspector", name: "Ina Inspector", group: "Branch Inspector", branch: "Leeds" },
  { role: "accountant", name: "Abe Accountant", group: "Accountant", branch: "" },
  { role: "drafter", name: "Dan Drafter", group: "Drafters", branch: "Leeds" },
  { role: "drafter2", name: "Dora Drafter", group: "Drafters", branch: "York" },
  { role: "approver", name: "Ann Approver", group: "Approvers", branch: "York" },
  { role: "clerk", name: "Cleo Clerk", group: "Personal", branch: "Hull" },
  { role: "helper", name: "Hal Helper", group: "Helpers", branch: "Leeds" },
] as const;
export type Role =
  | (typeof members)[number]["role"]
  | "stranger"
  | "forger"
  | "integration"
  | "directory"
  | "employee"
  | "holder";

const inEach = (role: Role, habit: string, often: number) =>
  companyKeys.map((company) => ({ who: `${company}/${role}`, habit, often }));

/** Habits with how often they come up; a newcomer adds a line here and a function in a file of its kind. */
export const casts = [
  ...inEach("admin", "invite", 2),
  ...inEach("admin", "changeGroup", 2),
  ...inEach("admin", "removeAndReturn", 2),
  ...inEach("admin", "erase", 2),
  ...inEach("admin", "saveRemoved", 2),
  ...inEach("admin", "demote", 1),
  ...inEach("deputy", "demote", 2),
  ...inEach("deputy", "moveUsers", 2),
  ...inEach("deputy", "renameBranch", 1),
  ...inEach("deputy", "audit", 1),
  ...inEach("deputy", "importOld", 2),
  ...inEach("inspector", "inspect", 1),
  ...inEach("approver", "inspect", 3),
  ...inEach("accountant", "bill", 2),
  ...inEach("deputy", "choosePlan", 1),
  ...inEach("drafter", "draft", 8),
  ...inEach("drafter2", "draft", 6),
  ...inEach("drafter2", "editOld", 3),
  ...inEach("clerk", "draft", 3),
  ...inEach("helper", "doubleClick", 4),
  ...inEach("helper", "issueTable", 5),
  ...inEach("helper", "editColleague", 2),
  ...inEach("approver", "decide", 5),
  ...inEach("approver", "bulk", 2),
  ...inEach("approver", "prolong", 2),
  ...inEach("approver", "undo", 2),
  ...inEach("approver", "chase", 3),
  ...inEach("approver", "comment", 2),
  ...inEach("helper", "replace", 3),
  ...inEach("drafter", "forgottenTab", 3),
  ...inEach("clerk", "forgottenTab", 2),
  ...inEach("stranger", "scan", 6),
  ...inEach("stranger", "complain", 2),
  ...inEach("forger", "forge", 2),
  ...inEach("forger", "guess", 2),
  ...inEach("integration", "integrate", 4),
  ...inEach("admin", "ranges", 1),
  ...inEach("admin", "hooks", 2),
  ...inEach("admin", "connect", 1),
  ...inEach("directory", "provision", 4),
  ...inEach("employee", "signOn", 5),
  ...inEach("approver", "sendOut", 4),
  ...inEach("holder", "receive", 5),
  ...inEach("admin", "serveHolders", 1),
  ...inEach("approver", "loseCopy", 2),
  ...inEach("clerk", "look", 2),
  ...inEach("inspector", "look", 2),
  ...inEach("admin", "endSessions", 2),
  ...inEach("drafter", "leave", 2),
  ...inEach("admin", "dismiss", 1),
  ...inEach("deputy", "renewKey", 1),
  ...inEach("admin", "holdBack", 1),
  ...inEach("approver", "release", 4),
  ...inEach("helper", "release", 3),
  ...inEach("approver", "releaseOld", 2),
  ...inEach("drafter", "sendAgain", 2),
  ...inEach("helper", "sendAgain", 2),
];

const together = (...visits: [Role, string][]) =>
  companyKeys.map((company) => visits.map(([role, habit]) => ({ who: `${company}/${role}`, habit })));

/** Visits at the same time, of people who cross each other. */
export const meetings = [
  ...together(["admin", "takeRight"], ["drafter", "draft"], ["drafter2", "draft"]),
  ...together(["admin", "removeAndReturn"], ["drafter", "draft"], ["approver", "decide"]),
  ...together(["admin", "demote"], ["deputy", "demote"]),
  ...together(["admin", "demote"], ["deputy", "renameHook"]),
  ...together(["admin", "demote"], ["deputy", "renameHook"], ["stranger", "scan"]),
  ...together(["admin", "erase"], ["approver", "comment"]),
  ...together(["helper", "replace"], ["approver", "decide"], ["stranger", "scan"]),
  ...together(["approver", "chase"], ["stranger", "complain"]),
  ...together(["approver", "undo"], ["helper", "editColleague"]),
  ...together(["directory", "lock"], ["employee", "signOn"]),
  ...together(["holder", "receive"], ["approver", "sendOut"]),
  ...together(["admin", "endSessions"], ["drafter", "forgottenTab"]),
  ...together(["directory", "lock"], ["employee", "signOn"], ["admin", "removeAndReturn"]),
  ...together(["approver", "release"], ["helper", "release"], ["drafter", "sendAgain"]),
  ...together(["helper", "release"], ["drafter", "sendAgain"], ["approver", "releaseOld"]),
  ...together(["admin", "holdBack"], ["drafter2", "draft"], ["helper", "issueTable"]),
  ...together(["directory", "provision"], ["admin", "demote"], ["employee", "signOn"]),
];

/** The first hours: administrators set up their companies, and people join as their invitations come. */
export const founding = [
  inEach("admin", "found", 1),
  ...members.slice(1).map(({ role }) => inEach(role, "join", 1)),
  [...inEach("integration", "getKey", 1), ...inEach("admin", "ranges", 1)],
  [...inEach("admin", "connect", 1), ...inEach("admin", "serveHolders", 1)],
  inEach("admin", "holdBack", 1),
];
