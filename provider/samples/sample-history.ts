/**
 * The sample company's history before today. Records are listed as they are now (`sample-company.ts`); an entry
 * has the values that its fields had before it, so that the first state follows from the last one.
 */

type Value = string | boolean;

export type PastChange = {
  daysAgo: number;
  by: string;
  action?: "removed";
  before: Record<string, Value>;
};

type PastRecord = {
  daysAgo: number;
  by: string;
  /** The newest last. */
  changes: PastChange[];
};

const [helen, aoife, priya] = ["Helen Marsh", "Aoife Byrne", "Priya Nair"];
const [manchester, liverpool, preston] = ["Manchester Central", "Liverpool Docks", "Preston"];

/** The day on which the company was founded. */
export const foundedDaysAgo = 400;

export const companyChanges: PastChange[] = [
  {
    daysAgo: 399,
    by: helen,
    before: { email: "", phone: "", country: "", city: "", index: "", address: "" },
  },
  { daysAgo: 214, by: helen, before: { address: "9 Mount Street", index: "M2 5WQ" } },
  { daysAgo: 121, by: aoife, before: { phone: "+44 161 496 0111" } },
];

export const branchClerkAdded = { daysAgo: 160, by: helen };

export const branchPasts: Record<string, PastRecord> = {
  [manchester]: {
    daysAgo: 398,
    by: helen,
    changes: [
      { daysAgo: 385, by: helen, before: { manager: "" } },
      { daysAgo: 213, by: helen, before: { address: "9 Mount Street", index: "M2 5WQ" } },
      { daysAgo: 120, by: aoife, before: { phone: "+44 161 496 0111" } },
      { daysAgo: 88, by: helen, before: { manager: helen } },
    ],
  },
  [liverpool]: {
    daysAgo: 397,
    by: helen,
    changes: [
      { daysAgo: 384, by: helen, before: { manager: "" } },
      { daysAgo: 231, by: helen, before: { email: "docks@hallam.example" } },
      { daysAgo: 158, by: aoife, before: { address: "Kings Parade 1" } },
      { daysAgo: 24, by: aoife, before: { phone: "+44 151 496 0133" } },
    ],
  },
  [preston]: {
    daysAgo: 390,
    by: helen,
    changes: [
      { daysAgo: 383, by: helen, before: { manager: "" } },
      { daysAgo: 174, by: aoife, before: { phone: "+44 1632 960011" } },
      { daysAgo: 96, by: helen, before: { address: "3 Winckley Street" } },
      { daysAgo: 17, by: helen, before: { phone: "+44 1632 960018" } },
    ],
  },
  Lancaster: {
    daysAgo: 330,
    by: helen,
    changes: [
      { daysAgo: 322, by: helen, before: { manager: "" } },
      { daysAgo: 139, by: helen, before: { manager: helen } },
      { daysAgo: 47, by: aoife, before: { phone: "+44 1632 960054", email: "castle-hill@hallam.example" } },
    ],
  },
  "Dublin Quay": {
    daysAgo: 150,
    by: helen,
    changes: [
      { daysAgo: 149, by: helen, before: { manager: "" } },
      { daysAgo: 39, by: helen, before: { address: "2 Custom House Quay", index: "D01 KF84" } },
      { daysAgo: 38, by: aoife, before: { phone: "+353 20 910 0188" } },
    ],
  },
};

/** A user's network at a branch. */
const at = {
  manchester: { branch: manchester, city: "Manchester", index: "M2 5DB" },
  liverpool: { branch: liverpool, city: "Liverpool", index: "L3 4AF" },
  preston: { branch: preston, city: "Preston", index: "PR1 2HE" },
};

export const userPasts: Record<string, PastRecord> = {
  [helen]: {
    daysAgo: foundedDaysAgo,
    by: helen,
    changes: [{ daysAgo: 394, by: helen, before: { role: "", country: "", city: "", index: "", branch: "" } }],
  },
  [aoife]: {
    daysAgo: 396,
    by: helen,
    changes: [
      { daysAgo: 326, by: helen, before: at.manchester },
      { daysAgo: 246, by: helen, before: { role: "Inspector", staff: "Branch Inspector" } },
    ],
  },
  "Tom Okafor": { daysAgo: 388, by: helen, changes: [{ daysAgo: 170, by: aoife, before: at.preston }] },
  "Daniel Webb": {
    daysAgo: 380,
    by: helen,
    changes: [
      { daysAgo: 360, by: helen, before: at.liverpool },
      { daysAgo: 178, by: helen, before: { role: "Clerk" } },
    ],
  },
  [priya]: { daysAgo: 300, by: helen, changes: [{ daysAgo: 292, by: helen, before: at.manchester }] },
  "Grace Holt": {
    daysAgo: 372,
    by: helen,
    changes: [
      { daysAgo: 166, by: aoife, before: at.preston },
      { daysAgo: 45, by: aoife, action: "removed", before: { active: true } },
    ],
  },
};

/** A copy that was withdrawn alone. */
export const withdrawnCopy = {
  number: "NM-B5T6R4",
  n: 2,
  daysAgo: 1.5,
  reason: "lost",
  note: "It did not arrive at the site office.",
} as const;

/** Acts on documents after they were issued, the oldest first; by their owners. */
export const documentActs: { number: string; daysAgo: number; act: DocumentAct }[] = [
  { number: "NM-E9P3TD", daysAgo: 145, act: "archive" },
  { number: "NM-2YB6HM", daysAgo: 118, act: "prolong" },
  { number: "NM-F5K1ZA", daysAgo: 80, act: "exit" },
  { number: "NM-F5K1ZA", daysAgo: 70, act: "archive" },
  { number: "NM-H8W4QR", daysAgo: 50, act: "exit" },
  { number: "NM-H8W4QR", daysAgo: 49, act: "reactivate" },
  { number: "NM-X7C0NV", daysAgo: 41, act: "archive" },
  { number: "NM-X7C0NV", daysAgo: 36, act: "restore" },
  { number: "NM-J3D8SG", daysAgo: 30, act: "archive" },
  { number: "NM-R2P5K8", daysAgo: 9, act: "exit" },
  { number: "NM-W7D0T9", daysAgo: 6, act: "exit" },
];
type DocumentAct = "archive" | "restore" | "exit" | "reactivate" | "prolong";
