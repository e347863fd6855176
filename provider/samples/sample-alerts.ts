import type { AlertType, Outcome } from "../contract/alerts.ts";

type Place = [latitude: number, longitude: number, accuracy: number];

export type SampleAlert = {
  /** By its number. */
  document: string;
  alert: AlertType;
  daysAgo: number;
  place?: Place;
  /** Of a scan after the document's end it is what the scan rule says. */
  reason?: string;
  /** The number on the paper, if it is another's. */
  otherPaper?: string;
  /** Further scans behind it, that many minutes before the last. */
  before?: { minutes: number; place?: Place }[];
  /** When it was seen first and completed, in hours: half an hour and an hour if omitted. Open ones without are unseen. */
  hours?: [seen: number, done: number];
  /** Who works on it, from the first look on. */
  owner?: string;
  comments?: { by: string; hours: number; text: string; notified?: string }[];
  /** The note and author of its completion. */
  note?: string;
  by?: string;
  /** The outcome; done if omitted. */
  outcome?: Outcome;
  /** Why it was reopened, a day later. */
  reopened?: string;
};

/** Alerts of the last months, the newest first. */
export const alerts: SampleAlert[] = [
  {
    document: "NM-4C7H29",
    alert: "Fake scan",
    daysAgo: 0,
    place: [53.4794, -2.2453, 40],
    reason: "Scanned within 4 minutes at places 73 km apart: nobody travels that fast.",
    before: [{ minutes: 4, place: [54.0466, -2.8007, 35] }],
  },
  {
    document: "NM-4C7H29",
    alert: "Complaint",
    daysAgo: 1,
    reason: "“The rent on the paper is not what I was told on the phone.”",
  },
  {
    document: "NM-72XQ08",
    alert: "Complaint",
    daysAgo: 2,
    place: [53.7632, -2.7031, 120],
    reason: "“Page 2 is missing from the copy that I was given.”",
  },
  {
    document: "NM-9KD3P1",
    alert: "Burst of scans",
    daysAgo: 2.5,
    place: [53.4084, -2.9916, 60],
    reason: "Scanned by 20 devices or more within 10 minutes.",
    before: Array.from({ length: 19 }, (_, n) => ({ minutes: (n + 1) / 2 })),
    hours: [2, 20],
    note: "The certificate hangs at the gate; visitors of the open day scanned it.",
    outcome: "false alarm",
  },
  {
    document: "NM-1ZM8V7",
    alert: "Fake scan",
    daysAgo: 6,
    place: [54.0466, -2.8007, 35],
    reason: "Scanned within 5 minutes at places 82 km apart: nobody travels that fast.",
    before: [{ minutes: 5, place: [53.4106, -2.1575, 50] }],
    hours: [0.3, 5],
    owner: "Aoife Byrne",
    comments: [
      {
        by: "Aoife Byrne",
        hours: 2,
        text: "The haulier’s office scanned a photo, says the driver. I asked them for it.",
      },
      { by: "Helen Marsh", hours: 4, text: "Ask them to delete the photo, too." },
    ],
    note: "A photo of the permit was sent to the driver’s office. The permit itself is in the cab.",
    outcome: "fake",
  },
  {
    document: "NM-6HW0E5",
    alert: "Complaint",
    daysAgo: 7,
    place: [53.4084, -2.9916, 90],
    reason:
      "“The address on the paper is wrong: it says 2 Custom House Quay, but your Dublin office has moved to North Wall Quay. Our letters come back.”",
    hours: [3, 0],
    owner: "Helen Marsh",
    comments: [
      {
        by: "Aoife Byrne",
        hours: 8,
        text: "@Helen Marsh the policy still has the old address. Do we send a new version?",
        notified: "Helen Marsh",
      },
      { by: "Helen Marsh", hours: 30, text: "Yes.\nI wait for the address from Dublin, then issue it." },
    ],
  },
  {
    document: "NM-R2P5K8",
    alert: "Withdrawn document scanned",
    daysAgo: 8,
    place: [53.545, -2.6318, 60],
    hours: [9, 26],
    note: "The tenant had the old policy on the wall. They were sent the new one.",
    by: "Aoife Byrne",
  },
  {
    document: "NM-3E2XQK",
    alert: "Expired document scanned",
    daysAgo: 9,
    place: [53.4808, -2.2426, 30],
    note: "The sign at the gate was left after the open day; it is gone now.",
  },
  {
    document: "NM-K4S8VD",
    alert: "Complaint",
    daysAgo: 15,
    place: [53.4794, -2.2453, 50],
    reason: "“The name of the engineer can’t be read on my copy.”",
    owner: "Aoife Byrne",
    note: "A better copy was sent.",
    by: "Aoife Byrne",
    reopened: "They wrote that the new copy is no better",
  },
  {
    document: "NM-V2H6QX",
    alert: "Fake scan",
    daysAgo: 19,
    place: [53.8175, -3.0357, 45],
    reason:
      "Checked for a paper with the number “SK-118”, which is not this document’s: its code may have been copied.",
    otherPaper: "SK-118",
    note: "The council’s own number was typed. The permit is genuine.",
    outcome: "false alarm",
    by: "Aoife Byrne",
  },
  {
    document: "NM-2YB6HM",
    alert: "Fake scan",
    daysAgo: 26,
    place: [53.7437, -2.4817, 35],
    reason: "Scanned within 3 minutes at places 61 km apart: nobody travels that fast.",
    before: [{ minutes: 3, place: [53.4084, -2.9916, 40] }],
    hours: [4, 0],
    owner: "Aoife Byrne",
  },
  {
    document: "NM-H8W4QR",
    alert: "Burst of scans",
    daysAgo: 35,
    place: [53.7632, -2.7031, 60],
    reason: "Scanned by 20 devices or more within 10 minutes.",
    before: Array.from({ length: 19 }, (_, n) => ({ minutes: (n + 1) / 2 })),
    hours: [1.5, 70],
    note: "It was shown at the suppliers’ fair.",
    outcome: "false alarm",
  },
];
