import { say } from "#messages/staff.ts";
import {
  type Area,
  areaNames,
  areas,
  partsOf,
  permissionOf,
  type Right,
  rights,
  type Scope,
} from "#provider/contract/areas.ts";

/** An access group's rights in plain words, for its form. */

export const nothingElse = say("users.groupWords.aMemberOfThis");

type Rights = Partial<Record<Area, string>>;

/** What a right is about, by scope; the company's if there is only one. */
const objects: Record<Area, { company: string } & Partial<Record<Scope, string>>> = {
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
    personal: "their own data",
  },
  roles: { company: "the access groups" },
};

const verbs: Record<Right, string> = { read: "see", write: "change", create: "add" };
const nothingToAdd: Area[] = ["co_profile", "tariffs", "alerts", "map"];

/** What a member can do, a line for each area, which areas can't be saved as they are, and a note on consequences. */
export function meaning(permissions: Rights): { can: string[]; unfinished: string[]; note: string } {
  const can = areas.flatMap((area) => {
    const { scope, rights } = partsOf(permissions[area] ?? "");
    if (!scope || rights.length === 0) return [];
    const more = rights.filter((right) => right !== "read" && isUsable(area, scope, right));
    return [
      `${listed([verbs.read, ...more.map((right) => verbs[right])])} ${objects[area][scope] ?? objects[area].company}`,
    ];
  });
  const unfinished = areas.flatMap((area) => {
    const { scope, rights } = partsOf(permissions[area] ?? "");
    if (!scope === (rights.length === 0)) return [];
    return [`${areaNames[area]}: ${scope ? "tick a right" : "choose a scope"}`];
  });
  return { can, unfinished, note: noteOn(permissions) };
}

const combinations = { read: ["read"], write: ["read", "write"], create: ["read", "create"], all: rights } as const;

/** What each choice of a scope and rights in an area means, in words, and its classes in the style sheet. */
export function areaMeanings(area: Area, scopes: readonly Scope[]): { choice: string; words: string }[] {
  const chosen = scopes.flatMap((scope) =>
    Object.entries(combinations).map(([name, granted]) => {
      const { can, note } = meaning({ [area]: permissionOf(scope, granted) });
      // What is said of documents does not hold for administrators, whom another area makes.
      const words = `Members can ${can[0]}.`;
      return { choice: `words-${scope} words-${name}`, words: area === "roles" && note ? `${words} ${note}` : words };
    }),
  );
  const without = { scope: permissionOf(undefined, ["read"]), right: permissionOf(scopes[0], []) };
  const unfinished = Object.entries(without).map(([choice, permission]) => {
    const words = meaning({ [area]: permission }).unfinished[0]!;
    return { choice: `words-no-${choice}`, words: `${words}.` };
  });
  return [...chosen, ...unfinished];
}

export const membersInWords = (members: number) => `${members} ${members === 1 ? "member" : "members"}`;

function noteOn({ docs = "", roles = "" }: Rights) {
  if (partsOf(roles).scope && partsOf(roles).rights.includes("write")) {
    return say("users.groupWords.membersWhoMayChange");
  }
  const { scope, rights } = partsOf(docs);
  if (rights.length === 0 || (scope !== "company" && scope !== "branch")) return "";
  return say("users.groupWords.documentsThatNameAnother");
}

/** Whether a right can be used: there is one company profile, and users do not add themselves. */
function isUsable(area: Area, scope: Scope, right: Right) {
  if (area === "map") return false;
  return right !== "create" || !(nothingToAdd.includes(area) || (area === "users" && scope === "personal"));
}

/** `see, change and add` */
const listed = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
