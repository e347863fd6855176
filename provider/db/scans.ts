import type { Kysely } from "kysely";
import type { z } from "zod";
import { type Actor, reachOf } from "../access.ts";
import type { Scan } from "../contract/scans.ts";
import type { Tables } from "./tables.ts";

/** Scans with what is told of their documents, and with what whoever scanned reports. */
export const scanRows = (db: Kysely<Tables>) =>
  db
    .selectFrom("scans")
    .innerJoin("documents", "documents.id", "scans.document_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .leftJoin("complaints", "complaints.scan_id", "scans.id")
    .select(["scans.id", "scans.document_id", "scans.at", "scans.latitude", "scans.longitude", "scans.accuracy"])
    .select(["scans.place", "scans.suspicion", "scans.staff", "documents.number", "branches.name as branch"])
    .select(["branches.index", "complaints.text as complaint", "complaints.contact"]);

type Row = Awaited<ReturnType<ReturnType<typeof scanRows>["execute"]>>[number];

/** Degrees as somebody may know them: who may not write alerts learns a place to about a kilometre. */
export function placeFor(actor: Actor) {
  const isExact = reachOf(actor, "alerts", "write") !== undefined;
  const shown = (degrees: number | null) => (isExact || degrees === null ? degrees : Math.round(degrees * 100) / 100);
  return ({ latitude, longitude, accuracy }: Pick<Row, "latitude" | "longitude" | "accuracy">) => ({
    latitude: shown(latitude),
    longitude: shown(longitude),
    accuracy: isExact ? accuracy : null,
  });
}

/** A row of `scanRows` as the contract has it. */
export function asScan(row: Row, actor: Actor): z.input<typeof Scan> {
  const isAnswering = reachOf(actor, "alerts", "write") !== undefined;
  return {
    id: row.id,
    document_id: row.document_id,
    number: row.number,
    branch: row.branch ?? "",
    index: row.index ?? "",
    at: row.at,
    ...placeFor(actor)(row),
    place: row.place,
    suspicion: row.suspicion === 1,
    staff: row.staff === 1,
    complaint: row.complaint ?? "",
    contact: (isAnswering && row.contact) || "",
  };
}
