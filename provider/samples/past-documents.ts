import type { SampleDocument } from "./sample-company.ts";

const clause = (n: number, text: string) => `${n}. ${text}`;

/** Documents from before the dashboard's, the newest first. `documentActs` has their further history. */
export const pastDocuments: SampleDocument[] = [
  {
    number: "NM-3E2XQK",
    name: "Event permit, open day",
    owner: "Daniel Webb",
    type: ["Permit", "Event"],
    daysAgo: 40,
    validDays: 29,
    placing: "top-right:first:medium",
    files: {
      "open-day.pdf": [
        {
          heading: "Event permit",
          lines: ["The yard at Albert Square may be used for the open day. Gates close at six in the evening."],
          table: [
            ["Visitors at a time", "120"],
            ["Stewards", "6"],
          ],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-W7D0T9",
    name: "Service contract, Lune Cleaning",
    owner: "Helen Marsh",
    type: ["Contract", "Service"],
    daysAgo: 20,
    placing: "bottom-right:last:medium",
    fields: [["Name on document", "Lune Cleaning Ltd"]],
    files: {
      "contract.pdf": [
        {
          heading: "Cleaning of offices",
          lines: [
            clause(1, "Lune Cleaning Ltd cleans the offices at Albert Square on every working day before eight."),
            clause(2, "Either party may end the contract with two weeks' notice in writing."),
          ],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-R2P5K8",
    name: "Employers’ liability policy",
    owner: "Helen Marsh",
    type: ["Policy", "Insurance"],
    daysAgo: 13,
    validDays: 364,
    placing: "top-right:first:medium",
    fields: [["Document reg", "EL-30077-26"]],
    files: {
      "policy.pdf": [
        {
          heading: "Employers' liability insurance",
          lines: ["Cover for all people employed at the four branches in England."],
          table: [
            ["Policy", "EL-30077-26"],
            ["Limit", "£5,000,000 any one event"],
          ],
        },
      ],
    },
  },
  {
    number: "NM-V2H6QX",
    name: "Skip permit, Castle Hill",
    owner: "Aoife Byrne",
    type: ["Permit", "Work"],
    daysAgo: 24,
    validDays: 30,
    access: "Open to all",
    placing: "top-right:first:medium",
    files: {
      "permit.pdf": [
        {
          heading: "Skip permit",
          lines: ["A skip may stand in front of 21 Castle Hill. It is lit at night and emptied when it is full."],
          table: [["Skip", "6 cubic yards"]],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-H8W4QR",
    name: "Quality certificate, Ribble Mills",
    owner: "Priya Nair",
    type: ["Certificate", "Quality"],
    daysAgo: 110,
    validDays: 365,
    placing: "bottom-right:first:medium",
    files: {
      "certificate.pdf": [
        {
          heading: "Certificate of quality",
          lines: ["The paper that was delivered in the last quarter was tested and is within its limits."],
          table: [
            ["80 g", "79.6 to 80.3 g"],
            ["120 g", "119.1 to 120.4 g"],
          ],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-X7C0NV",
    name: "Lease of offices, Winckley Street",
    owner: "Priya Nair",
    type: ["Contract", "Lease"],
    daysAgo: 180,
    validDays: 1095,
    placing: "bottom-right:last:medium",
    files: {
      "lease.pdf": [
        {
          heading: "Lease of offices",
          lines: [
            clause(1, "The landlord lets and the tenant takes the ground floor of 8 Winckley Street, Preston."),
            clause(2, "The term is three years. Rent is payable in advance on the first working day of each quarter."),
          ],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-E9P3TD",
    name: "Scaffold permit, Albert Square",
    owner: "Daniel Webb",
    type: ["Permit", "Building"],
    daysAgo: 210,
    validDays: 45,
    placing: "top-left:first:small",
    files: {
      "scaffold.pdf": [
        {
          heading: "Scaffold permit",
          lines: ["A scaffold may stand on the pavement in front of 14 Albert Square while the roof is mended."],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-2YB6HM",
    name: "Extinguisher service, Albert Square",
    owner: "Daniel Webb",
    type: ["Certificate", "Safety"],
    daysAgo: 230,
    validDays: 120,
    prolongation: true,
    placing: "top-right:first:small",
    fields: [["Document reg", "EX-5520"]],
    files: {
      "service.pdf": [
        {
          heading: "Service of extinguishers",
          lines: ["All extinguishers at 14 Albert Square were weighed, tested and sealed."],
          table: [["Extinguishers", "11"]],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-F5K1ZA",
    name: "Print contract, Harlequin Print",
    owner: "Helen Marsh",
    type: ["Contract", "Service"],
    daysAgo: 260,
    placing: "bottom-right:last:medium",
    files: {
      "contract.pdf": [
        {
          heading: "Printing of forms",
          lines: [clause(1, "Harlequin Print prints the forms of all branches and delivers them every month.")],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-J3D8SG",
    name: "Lease of a storage room, Castle Hill",
    owner: "Aoife Byrne",
    type: ["Contract", "Lease"],
    daysAgo: 280,
    validDays: 730,
    placing: "bottom-right:last:medium",
    files: {
      "lease.pdf": [
        {
          heading: "Lease of a storage room",
          lines: [clause(1, "The landlord lets and the tenant takes the dry storage room behind 21 Castle Hill.")],
          signed: true,
        },
      ],
    },
  },
  {
    number: "NM-K4S8VD",
    name: "Gas safety certificate, Albert Square",
    owner: "Daniel Webb",
    type: ["Certificate", "Safety"],
    daysAgo: 351,
    validDays: 365,
    access: "Open to all",
    placing: "top-right:first:medium",
    fields: [["Document reg", "GS-201944"]],
    files: {
      "gas.pdf": [
        {
          heading: "Gas safety certificate",
          lines: ["The boiler and the pipes at 14 Albert Square were tested and found safe."],
          table: [
            ["Boiler", "safe to use"],
            ["Pipes", "tight"],
          ],
          signed: true,
        },
      ],
    },
  },
];
