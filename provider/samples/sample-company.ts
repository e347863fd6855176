import { everyArea } from "../sessions/signup.ts";
import type { Sheet } from "./sample-pages.ts";

/** The sample company (`docs/specification.md` section 2: five branches, eight documents, five users). All of it is made up. */

export const company = {
  name: "Hallam & Reid Ltd",
  email: "office@hallam.example",
  phone: "+44 161 496 0100",
  country: "United Kingdom",
  city: "Manchester",
  index: "M2 5DB",
  address: "14 Albert Square",
};

/** Their phones and addresses; what they were before is in `sample-history.ts`. */
export const branches = [
  [
    "Manchester Central",
    "United Kingdom",
    "Manchester",
    "M2 5DB",
    "14 Albert Square",
    "+44 161 496 0100",
    "Aoife Byrne",
  ],
  ["Liverpool Docks", "United Kingdom", "Liverpool", "L3 4AF", "Kings Parade 3", "+44 151 496 0120", "Helen Marsh"],
  ["Preston", "United Kingdom", "Preston", "PR1 2HE", "8 Winckley Street", "+44 1632 960041", "Aoife Byrne"],
  ["Lancaster", "United Kingdom", "Lancaster", "LA1 1YN", "21 Castle Hill", "+44 1632 960077", "Aoife Byrne"],
  ["Dublin Quay", "Ireland", "Dublin", "D01 W3P9", "6 North Wall Quay", "+353 20 910 0142", "Helen Marsh"],
] as const;

export const users = [
  ["Helen Marsh", "Manager", "Administrator", "Manchester Central"],
  ["Tom Okafor", "Inspector", "Branch Inspector", "Liverpool Docks"],
  ["Priya Nair", "Accountant", "Accountant", "Preston"],
  ["Daniel Webb", "Accountant", "Accountant", "Manchester Central"],
  ["Aoife Byrne", "Manager", "Administrator", "Lancaster"],
] as const;

/** An access group of its own beside a new company's: works in one branch. */
export const branchClerk = {
  name: "Branch Clerk",
  permissions: { ...everyArea(""), docs: "B:R/W/C", branches: "B:R", alerts: "B:R/W", map: "B:R", users: "B:R" },
};

/** A user who has left, and can't sign in. */
export const formerUser = ["Grace Holt", "Clerk", "Branch Inspector", "Lancaster"] as const;

/** `helen@hallam.example` for Helen Marsh. */
export const emailOf = (name: string) => `${name.split(" ")[0]!.toLowerCase()}@hallam.example`;

export type SampleDocument = {
  number: string;
  name: string;
  owner: string;
  type: [type: string, subtype: string];
  /** How many days ago it was issued, and for how many days it is valid. */
  daysAgo: number;
  validDays?: number;
  prolongation?: boolean;
  access?: "Open to all";
  placing: string;
  /** How many numbered copies; 1 if not given. */
  copies?: number;
  fields?: [name: string, value: string][];
  /** Its page files by name; the name's ending says the kind. A picture is drawn of the one sheet given. */
  files: Record<string, Sheet[]>;
};

/** Scans per day up to today, and their places in the north-west of England. */
export const scansADay = [
  58, 71, 62, 88, 95, 40, 33, 79, 84, 91, 99, 60, 44, 52, 64, 81, 77, 92, 103, 58, 41, 88, 97, 112, 106, 121, 73, 66,
];
export const scanPlaces = [
  [53.4808, -2.2426],
  [53.4084, -2.9916],
  [53.7632, -2.7031],
  [54.0466, -2.8007],
  [53.4106, -2.1575],
  [53.545, -2.6318],
  [53.8175, -3.0357],
  [53.7437, -2.4817],
] as const;

const clause = (n: number, text: string) => `${n}. ${text}`;

export const documents: SampleDocument[] = [
  {
    number: "NM-4C7H29",
    name: "Warehouse lease, unit 14",
    owner: "Helen Marsh",
    type: ["Contract", "Lease"],
    daysAgo: 2,
    validDays: 364,
    prolongation: true,
    placing: "bottom-right:first:medium",
    fields: [
      ["Document reg", "LR-2026-0417"],
      ["Name on document", "Hallam & Reid Ltd"],
      ["Account", "20-18-74 40571936"],
      ["Bank", "Northern Trade Bank"],
      ["Amount", "£48,200.00"],
      ["Currency", "GBP"],
    ],
    files: {
      "lease.pdf": [
        {
          heading: "Lease of a warehouse",
          lines: [
            clause(
              1,
              "The landlord lets and the tenant takes unit 14 of the Trafford Wharf estate, 1,240 square metres with two loading bays and the yard in front of them.",
            ),
            clause(2, "The term is one year. Rent is payable in advance on the first working day of each quarter."),
            clause(
              3,
              "The tenant keeps the inside, the doors and the lights in repair; the landlord the roof, the frame and the drains.",
            ),
            clause(
              4,
              "The unit is used for storing and sending paper goods and for no other trade without written consent.",
            ),
          ],
        },
        {
          heading: "Conditions",
          lines: [
            clause(
              5,
              "The tenant insures the goods, the landlord the building. Each shows the other the policy when asked.",
            ),
            clause(
              6,
              "Alterations need the landlord's consent. Racking that is fixed to the floor is taken out at the end.",
            ),
            clause(7, "Either party may end the lease at the end of the term with three months' notice in writing."),
          ],
        },
      ],
      "schedule.pdf": [
        {
          heading: "Schedule of rent",
          lines: [],
          table: [
            ["First quarter", "£12,050.00"],
            ["Second quarter", "£12,050.00"],
            ["Third quarter", "£12,050.00"],
            ["Fourth quarter", "£12,050.00"],
            ["Year", "£48,200.00"],
          ],
        },
      ],
      "site-plan.jpg": [
        {
          heading: "Site plan, unit 14",
          lines: ["Loading bays A and B face the yard. The fire assembly point is at the gate."],
        },
      ],
      "checklist.png": [
        {
          heading: "Handover checklist",
          lines: [],
          table: [
            ["Keys handed over", "6 of 6"],
            ["Meter, electricity", "048 221 kWh"],
            ["Meter, water", "1 903 m3"],
            ["Smoke alarms tested", "yes"],
          ],
        },
      ],
      "signatures.pdf": [
        {
          heading: "Signatures",
          lines: ["Signed by both parties in two copies, of which each party keeps one."],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-9KD3P1",
    name: "Fire safety certificate",
    owner: "Tom Okafor",
    type: ["Certificate", "Safety"],
    daysAgo: 3,
    validDays: 25,
    prolongation: true,
    access: "Open to all",
    placing: "top-right:every:small",
    fields: [["Document reg", "FS-88412"]],
    files: {
      "certificate.pdf": [
        {
          heading: "Fire safety certificate",
          lines: [
            "The building at Kings Parade 3 was inspected. Alarms, extinguishers and escape routes were found in order.",
          ],
          table: [
            ["Extinguishers", "14 in place, 14 in date"],
            ["Alarm test", "passed"],
            ["Escape routes", "clear and lit"],
          ],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-72XQ08",
    name: "Supplier agreement, Aldous Paper",
    owner: "Priya Nair",
    type: ["Contract", "Supply"],
    daysAgo: 3,
    placing: "bottom-left:last:large",
    fields: [
      ["Name on document", "Aldous Paper Mills"],
      ["Currency", "GBP"],
    ],
    files: {
      "agreement.pdf": [
        {
          heading: "Supply of paper",
          lines: [
            clause(
              1,
              "Aldous Paper Mills supplies uncoated paper of 80 to 120 grams in the amounts that are ordered each month.",
            ),
            clause(2, "Orders are delivered within five working days to the branch that placed them."),
            clause(3, "Prices are fixed for the calendar year."),
          ],
        },
        { heading: "Signatures", lines: ["Agreed by both parties."], signed: true },
      ],
    },
  },
  {
    number: "NM-B5T6R4",
    name: "Bank guarantee 2026/118",
    owner: "Daniel Webb",
    type: ["Bank", "Guarantee"],
    daysAgo: 5,
    validDays: 180,
    placing: "bottom-right:every:medium",
    copies: 3,
    fields: [
      ["Bank", "Northern Trade Bank"],
      ["Amount", "£15,000.00"],
      ["Currency", "GBP"],
    ],
    files: {
      "guarantee.pdf": [
        {
          heading: "Bank guarantee",
          lines: [
            "At the request of Hallam & Reid Ltd we guarantee the rent of unit 14 up to the amount below, payable on first demand in writing.",
          ],
          table: [
            ["Reference", "2026/118"],
            ["Up to", "£15,000.00"],
          ],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-1ZM8V7",
    name: "Vehicle permit, KX71 ODE",
    owner: "Aoife Byrne",
    type: ["Permit", "Vehicle"],
    daysAgo: 8,
    validDays: 364,
    access: "Open to all",
    placing: "top-left:first:large",
    files: {
      "permit.png": [
        {
          heading: "Yard permit",
          lines: ["The vehicle named here may enter and load at all yards of Hallam & Reid Ltd."],
          table: [
            ["Registration", "KX71 ODE"],
            ["Vehicle", "7.5 t box van"],
          ],
        },
      ],
    },
  },
  {
    number: "NM-6HW0E5",
    name: "Employers’ liability policy",
    owner: "Helen Marsh",
    type: ["Policy", "Insurance"],
    daysAgo: 9,
    validDays: 364,
    placing: "top-right:first:medium",
    fields: [["Document reg", "EL-30077-26"]],
    files: {
      "policy.pdf": [
        {
          heading: "Employers' liability insurance",
          lines: ["Cover for all people employed at the five branches."],
          table: [
            ["Policy", "EL-30077-26"],
            ["Limit", "£10,000,000 any one event"],
          ],
        },
      ],
      "stamp.jpg": [{ heading: "Premium received", lines: ["Paid in full."], signed: true }],
    },
  },
  {
    number: "NM-P3N41K",
    name: "Invoice 4471, Aldous Paper",
    owner: "Priya Nair",
    type: ["Invoice", "Purchase"],
    daysAgo: 11,
    placing: "none",
    fields: [
      ["Account", "20-18-74 40571936"],
      ["Amount", "£2,316.40"],
      ["Currency", "GBP"],
    ],
    files: {
      "invoice-4471.pdf": [
        {
          heading: "Invoice 4471",
          lines: ["Paper delivered to Preston."],
          table: [
            ["80 g, 40 reams", "£1,204.00"],
            ["120 g, 20 reams", "£726.33"],
            ["VAT 20 %", "£386.07"],
            ["To pay", "£2,316.40"],
          ],
        },
      ],
    },
  },
  {
    number: "NM-8RJ7C2",
    name: "Forklift training certificate",
    owner: "Tom Okafor",
    type: ["Certificate", "Training"],
    daysAgo: 12,
    validDays: 1095,
    access: "Open to all",
    placing: "bottom-left:first:small",
    files: {
      "training.pdf": [
        {
          heading: "Certificate of training",
          lines: ["The holder has completed three days of training on counterbalance trucks and passed the test."],
          table: [
            ["Holder", "Samuel Achebe"],
            ["Course", "Counterbalance, up to 3.5 t"],
          ],
          signed: true,
        },
      ],
    },
  },
];
