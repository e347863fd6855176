import { type Area, areas, partsOf, type Right, type Scope } from "#provider/contract/areas.ts";

/** What an access group lets its members do, in plain words: what the group's form shows beside the choices. */

type Rights = Record<string, string>;

/** What is reached, by scope. Where there is only one, it is the company's. */
const things: Record<Area, { company: string } & Partial<Record<Scope, string>>> = {
  docs: {
    company: "all documents of the company",
    branch: "the documents of their own branch, and their own",
    personal: "their own documents",
  },
  co_profile: { company: "the company’s profile" },
  branches: { company: "all branches", branch: "their own branch", personal: "their own branch" },
  tariffs: { company: "the company’s plan and its bill" },
  alerts: {
    company: "all alerts",
    branch: "the alerts about their own branch’s documents, and their own",
    personal: "the alerts about their own documents",
  },
  map: {
    company: "all scans on the map",
    branch: "the scans of their own branch’s documents on the map",
    personal: "the scans of their own documents on the map",
  },
  users: {
    company: "all users",
    branch: "the users of their own branch",
    personal: "what is kept of themselves",
  },
  roles: { company: "the access groups" },
};

const verbs: Record<Right, string> = { read: "see", write: "change", create: "add" };
const nothingToAdd: Area[] = ["co_profile", "tariffs", "alerts", "map"];

/** What a member can do, a line for each area that the group opens, and what follows from that. */
export function meaning(permissions: Rights): { can: string[]; note: string } {
  const can = areas.flatMap((area) => {
    const { scope, rights } = partsOf(permissions[area] ?? "");
    if (!scope || rights.length === 0) return [];
    const more = rights.filter((right) => right !== "read" && isMeant(area, scope, right));
    return [
      `${listed([verbs.read, ...more.map((right) => verbs[right])])} ${things[area][scope] ?? things[area].company}`,
    ];
  });
  return { can, note: noteOn(permissions) };
}

function noteOn({ docs = "", roles = "" }: Rights) {
  if (partsOf(roles).scope && partsOf(roles).rights.includes("write")) {
    return "Who may change access groups is an administrator: members can give themselves every other right.";
  }
  const { scope, rights } = partsOf(docs);
  if (rights.length === 0 || (scope !== "company" && scope !== "branch")) return "";
  return "Documents that name another access group stay hidden from them, unless they are their own.";
}

/** Some rights are nothing to make use of: there is one company profile, and nobody adds themselves. */
function isMeant(area: Area, scope: Scope, right: Right) {
  if (area === "map") return false;
  return right !== "create" || !(nothingToAdd.includes(area) || (area === "users" && scope === "personal"));
}

/** `see, change and add` */
const listed = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
