import { deflateSync } from "node:zlib";
import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { ContentTooComplex } from "../text/content-tokens.ts";
import { type Edit, type Glyph, readGlyphs, type Show, type TextLook } from "../text/page-glyphs.ts";
import type { Resolve } from "../pdf/pdf-reader.ts";
import type { Point } from "../text/text-position.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";
import { templateLimits } from "./template-fields.ts";
import { number } from "./template-values.ts";

/** Finds columns that are typed into the text of pages, as `{{name}}`, and takes them out. */

export type TypedColumn = {
  /** From 0. */
  page: number;
  column: string;
  /** The start of its baseline, in points, and the direction of its line. */
  from: Point;
  along: Point;
  size: number;
  /** Until the next text on its line, or the margin. */
  width: number;
  /** Of the typed text. */
  ownWidth: number;
  /** Whether it stands alone in the middle of its line. */
  isCentred: boolean;
  look: TextLook;
};

/** A page's content without its typed columns. */
export type EmptiedPage = { page: number; content: Uint8Array };

/** `isOver` if there are more than a template may have. */
export type TypedColumns = { columns: TypedColumn[]; emptied: EmptiedPage[]; isOver: boolean };

const maxPageBytes = 8_000_000;
const maxFileBytes = 24_000_000;

/** The typed columns of a document's pages. Pages with more content than others have are left as they are. */
export function findTypedColumns(document: PDFDocument): TypedColumns {
  const look = (value: PDFObject | undefined) => (value instanceof PDFRef ? document.context.lookup(value) : value);
  const result: TypedColumns = { columns: [], emptied: [], isOver: false };
  let bytesLeft = maxFileBytes;
  for (const [page, { node }] of document.getPages().entries()) {
    const content = contentOf(look(node.get(PDFName.of("Contents"))), look, Math.min(bytesLeft, maxPageBytes));
    if (!content) continue;
    bytesLeft -= content.length;
    const resources = look(node.get(PDFName.of("Resources")));
    const { x, y, width, height } = document.getPage(page).getCropBox();
    const box = { left: x, bottom: y, right: x + width, top: y + height };
    try {
      const run = readGlyphs(content, resources instanceof PDFDict ? resources : undefined, look);
      const matches = matchesOf(run.glyphs);
      if (matches.length === 0) continue;
      if (result.columns.length + matches.length > templateLimits.fields) return { ...result, isOver: true };
      result.columns.push(...matches.map((match) => typedColumn(match, run.glyphs, { page, box })));
      const removed = new Set(matches.flatMap(({ glyphs }) => glyphs));
      const edits = [...run.edits, ...removals(removed, run.glyphs)];
      const emptied = Buffer.concat([Buffer.from("q\n"), edited(content, edits), Buffer.from(`\n${run.closing} Q\n`)]);
      result.emptied.push({ page, content: deflateSync(emptied) });
    } catch (error) {
      if (!(error instanceof ContentTooComplex)) throw error;
    }
  }
  return result;
}

/** Replaces the contents of pages in a document by emptied ones; deletes those that no page has any more. */
export function replaceContents(document: PDFDocument, emptied: EmptiedPage[]) {
  const { context } = document;
  const key = PDFName.of("Contents");
  const before = new Set<PDFRef>();
  for (const { page, content } of emptied) {
    const { node } = document.getPage(page);
    for (const ref of refsOf(node.get(key), document)) before.add(ref);
    const stream = PDFRawStream.of(context.obj({ Filter: "FlateDecode" }), content);
    node.set(key, context.obj([context.register(stream)]));
  }
  const used = new Set(document.getPages().flatMap(({ node }) => refsOf(node.get(key), document)));
  for (const ref of before) if (!used.has(ref)) context.delete(ref);
}

function refsOf(contents: PDFObject | undefined, document: PDFDocument): PDFRef[] {
  const list = contents instanceof PDFRef ? document.context.lookup(contents) : contents;
  const inner = list instanceof PDFArray ? list.asArray() : [];
  return [contents, ...inner].filter((value) => value instanceof PDFRef);
}

/** The content streams of a page as one; undefined if they are over budget. */
function contentOf(contents: PDFObject | undefined, look: Resolve, maxBytes: number): Buffer | undefined {
  const streams = contents instanceof PDFArray ? contents.asArray().map(look) : [contents];
  const parts: Uint8Array[] = [];
  let bytesLeft = maxBytes;
  for (const stream of streams) {
    if (!(stream instanceof PDFRawStream)) continue;
    const bytes = unpackedStream(stream, look, bytesLeft);
    if (!bytes) return undefined;
    bytesLeft -= bytes.length;
    parts.push(bytes, Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}

type Match = { column: string; glyphs: Glyph[] };

/** A space that is no character but a gap. */
const gap = "\uE000";
const noGlyph = -1;
const typed = new RegExp(String.raw`\{${gap}?\{([^{}]{1,300}?)\}${gap}?\}`, "g");

function matchesOf(glyphs: Glyph[]): Match[] {
  return runsOf(glyphs).flatMap((run) => {
    if (!run.text.includes("{")) return [];
    return [...run.text.matchAll(typed)].flatMap(({ 0: whole, 1: inner, index }) => {
      const [first, last] = [run.glyphAt[index]!, run.glyphAt[index + whole.length - 1]!];
      const glyphs = run.glyphs.slice(first, last + 1);
      const isWhole = run.glyphAt[index - 1] !== first && run.glyphAt[index + whole.length] !== last;
      const column = nameOf(inner!, whole.startsWith(`{${gap}`));
      const isName = column !== "" && column.length <= templateLimits.nameLength;
      return isWhole && isName && glyphs.every(({ show }) => show.isPlain) ? [{ column, glyphs }] : [];
    });
  });
}

/** If letters are spaced, as the braces are, gaps are not spaces. */
const nameOf = (inner: string, isSpaced: boolean) =>
  inner
    .replaceAll(gap, isSpaced ? "" : " ")
    .normalize("NFC")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

type Run = { glyphs: Glyph[]; text: string; glyphAt: number[] };

/** Characters that follow each other on a line, however many operators show them. */
function runsOf(glyphs: Glyph[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  let before: Glyph | undefined;
  for (const glyph of glyphs) {
    const distance = before && distanceOf(before, glyph);
    if (!run || distance === undefined) runs.push((run = { glyphs: [], text: "", glyphAt: [] }));
    else if (distance > 0.2 && !/\s/.test(run.text.at(-1) ?? "") && !/^\s/.test(glyph.text)) {
      run.text += gap;
      run.glyphAt.push(noGlyph);
    }
    for (let n = 0; n < glyph.text.length; n++) run.glyphAt.push(run.glyphs.length);
    run.text += glyph.text;
    run.glyphs.push(glyph);
    before = glyph;
  }
  return runs;
}

const dot = (a: Point, b: Point) => a.x * b.x + a.y * b.y;
const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
const across = (along: Point): Point => ({ x: -along.y, y: along.x });
const isParallel = (one: Glyph, other: Glyph) => dot(one.along, other.along) > 0.999;

/** How far a glyph is behind another on its line, as a part of their size; undefined if it does not follow it. */
function distanceOf(before: Glyph, next: Glyph): number | undefined {
  const size = Math.max(before.size, next.size);
  const between = minus(next.from, before.to);
  if (!isParallel(before, next) || Math.abs(dot(between, across(before.along))) > size / 4) return undefined;
  const distance = dot(between, before.along) / size;
  return distance > -0.5 && distance < 1.5 ? distance : undefined;
}

type Box = { left: number; bottom: number; right: number; top: number };

function typedColumn({ column, glyphs }: Match, all: Glyph[], { page, box }: { page: number; box: Box }): TypedColumn {
  const first = glyphs[0]!;
  const { from, along, size, show } = first;
  const own = new Set(glyphs);
  const end = glyphs.at(-1)!.to;
  const ownWidth = dot(minus(end, from), along);
  const others = all.filter((other) => !own.has(other) && isParallel(first, other) && other.text.trim() !== "");
  const behind = opposite(along);
  const margin = others.reduce(
    (least, other) => Math.min(least, toEdge(other.from, behind, box)),
    toEdge(from, behind, box),
  );
  const toMargin = toEdge(from, along, box) - Math.min(Math.max(margin, 18), 72);
  const onLine = others
    .map((other) => ({ between: minus(other.from, from), larger: Math.max(size, other.size) }))
    .filter(({ between, larger }) => Math.abs(dot(between, across(along))) < larger / 2);
  const [left, right] = [toEdge(from, behind, box), toEdge(end, along, box)];
  const place = { page, column, from, along, size, ownWidth, look: show.look };
  if (onLine.length === 0 && Math.abs(left - right) < size / 2) {
    return { ...place, width: Math.max(ownWidth, 2 * (toMargin - ownWidth / 2)), isCentred: true };
  }
  const aheads = onLine.map(({ between }) => dot(between, along)).filter((ahead) => ahead > ownWidth - size / 4);
  const next = aheads.reduce((least, ahead) => Math.min(least, ahead - size / 4), Infinity);
  return { ...place, width: Math.min(Math.max(ownWidth, toMargin), next), isCentred: false };
}

const opposite = ({ x, y }: Point): Point => ({ x: -x, y: -y });

/** How far it is from a point to the page's edge. */
function toEdge(from: Point, along: Point, { left, bottom, right, top }: Box): number {
  const x = Math.abs(along.x) < 0.001 ? Infinity : ((along.x > 0 ? right : left) - from.x) / along.x;
  const y = Math.abs(along.y) < 0.001 ? Infinity : ((along.y > 0 ? top : bottom) - from.y) / along.y;
  return Math.min(x, y);
}

/** Shows the operators' other characters at the places where they were. */
function removals(removed: Set<Glyph>, all: Glyph[]): Edit[] {
  const shows = new Map<Show, Glyph[]>();
  for (const { show } of removed) shows.set(show, []);
  for (const glyph of all) shows.get(glyph.show)?.push(glyph);
  return [...shows].map(([show, glyphs]) => {
    const parts = show.elements.flatMap((element, n) => {
      if (typeof element === "number") return [number(element)];
      const inElement = glyphs.filter((glyph) => glyph.element === n);
      return inElement.map((glyph) => {
        if (removed.has(glyph)) return number(-glyph.advance);
        return `<${Buffer.from(element.subarray(glyph.at, glyph.at + glyph.bytes)).toString("hex")}>`;
      });
    });
    return { start: show.start, end: show.end, text: `${show.before}[${parts.join(" ")}] TJ` };
  });
}

function edited(content: Buffer, edits: Edit[]): Buffer {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    parts.push(content.subarray(at, start), Buffer.from(` ${text} `, "latin1"));
    at = end;
  }
  return Buffer.concat([...parts, content.subarray(at)]);
}
