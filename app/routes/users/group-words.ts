import { t } from "#lib/messages/staff.ts";
import { type Area, areas, partsOf, permissionOf, type Right, type Scope } from "#provider/contract/areas.ts";
import { areaNames, permissionInWords } from "../../components/user/area-words.ts";

/** An access group's rights in plain words, for its form. */

/** A permission string as `Branch: read, write`. */
export const inWords = (permission: string) => permissionInWords(partsOf(permission));

export const nothingElse = t("users.groupWords.nothingElse");

type Rights = Partial<Record<Area, string>>;

/** What a member can do in an area by scope; the company's if there is only one. */
type Can = (can: "see" | "change" | "add" | "all") => string;
const inArea: Record<Area, { company: Can } & Partial<Record<Scope, Can>>> = {
  docs: {
    company: (can) => t("users.groupWords.allDocuments", { can }),
    branch: (can) => t("users.groupWords.documentsOfTheirBranch", { can }),
    personal: (can) => t("users.groupWords.theirOwnDocuments", { can }),
  },
  co_profile: { company: (can) => t("users.groupWords.companyProfile", { can }) },
  branches: {
    company: (can) => t("users.groupWords.allBranches", { can }),
    branch: (can) => t("users.groupWords.theirOwnBranch", { can }),
    personal: (can) => t("users.groupWords.theirOwnBranch", { can }),
  },
  tariffs: { company: (can) => t("users.groupWords.planAndBill", { can }) },
  alerts: {
    company: (can) => t("users.groupWords.allAlerts", { can }),
    branch: (can) => t("users.groupWords.alertsOfTheirBranch", { can }),
    personal: (can) => t("users.groupWords.alertsAboutTheirOwn", { can }),
  },
  map: {
    company: () => t("users.groupWords.allScans"),
    branch: () => t("users.groupWords.scansOfTheirBranch"),
    personal: () => t("users.groupWords.scansOfTheirOwn"),
  },
  users: {
    company: (can) => t("users.groupWords.allUsers", { can }),
    branch: (can) => t("users.groupWords.usersOfTheirBranch", { can }),
    personal: (can) => t("users.groupWords.theirOwnData", { can }),
  },
  roles: { company: (can) => t("users.groupWords.accessGroups", { can }) },
};

const nothingToAdd: Area[] = ["co_profile", "tariffs", "alerts", "map"];

/** What a member can do, a line for each area, which areas can't be saved as they are, and a note on consequences. */
export function meaning(permissions: Rights): { can: string[]; unfinished: string[]; note: string } {
  const can = areas.flatMap((area) => {
    const { scope, rights } = partsOf(permissions[area] ?? "");
    if (!scope || rights.length === 0) return [];
    const [change, add] = (["write", "create"] as const).map(
      (right) => rights.includes(right) && isUsable(area, scope, right),
    );
    const words = inArea[area][scope] ?? inArea[area].company;
    const seen = words(change ? (add ? "all" : "change") : add ? "add" : "see");
    return rights.includes("release") ? [seen, t("users.groupWords.release")] : [seen];
  });
  const unfinished = areas.flatMap((area) => {
    const { scope, rights } = partsOf(permissions[area] ?? "");
    if (!scope === (rights.length === 0)) return [];
    const name = areaNames[area];
    return [
      scope ? t("users.groupWords.tickARight", { area: name }) : t("users.groupWords.chooseAScope", { area: name }),
    ];
  });
  return { can, unfinished, note: noteOn(permissions) };
}

const combinations = {
  read: ["read"],
  write: ["read", "write"],
  create: ["read", "create"],
  all: ["read", "write", "create"],
} as const;

/** What each choice of a scope and rights in an area means, in words, and its classes in the style sheet. */
export function areaMeanings(area: Area, scopes: readonly Scope[]): { choice: string; words: string }[] {
  const parts = scopes.flatMap((scope) =>
    Object.entries(combinations).map(([name, granted]) => {
      const { can, note } = meaning({ [area]: permissionOf(scope, granted) });
      // What is said of documents does not hold for administrators, whom another area makes.
      const words = membersCan(can);
      return { choice: `words-${scope} words-${name}`, words: area === "roles" && note ? `${words} ${note}` : words };
    }),
  );
  const without = { scope: permissionOf(undefined, ["read"]), right: permissionOf(scopes[0], []) };
  const unfinished = Object.entries(without).map(([choice, permission]) => {
    const words = t("users.groupWords.sentence", { words: meaning({ [area]: permission }).unfinished[0]! });
    return { choice: `words-no-${choice}`, words };
  });
  return [...parts, ...unfinished];
}

export const membersCan = (can: string[]) => t("users.groupWords.membersCan", { can: can.join("; ") });

export const membersInWords = (members: number) => t("users.groupWords.members", { members });

function noteOn({ docs = "", roles = "" }: Rights) {
  if (partsOf(roles).scope && partsOf(roles).rights.includes("write")) {
    return t("users.groupWords.administrators");
  }
  const { scope, rights } = partsOf(docs);
  if (rights.length === 0 || (scope !== "company" && scope !== "branch")) return "";
  return t("users.groupWords.hiddenDocuments");
}

/** Whether a right can be used: there is one company profile, and users do not add themselves. */
function isUsable(area: Area, scope: Scope, right: Right) {
  if (area === "map") return false;
  return right !== "create" || !(nothingToAdd.includes(area) || (area === "users" && scope === "personal"));
}
