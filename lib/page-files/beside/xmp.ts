import { type PDFDocument, PDFName } from "@cantoo/pdf-lib";
import type { Claims } from "./claims.ts";

/** Metadata as XMP (ISO 16684), written anew: of a file's own, nothing but values of a known form comes in. */

type Schema = { space: string; prefix: string; title: string; fields: [key: string, type: string][] };

const accessibility: Schema = {
  space: "http://www.aiim.org/pdfua/ns/id/",
  prefix: "pdfuaid",
  title: "PDF/UA",
  fields: [["part", "Integer"]],
};
const invoiceOf = (space: string, values: Record<string, string>): Schema => ({
  space,
  prefix: "fx",
  title: "Factur-X",
  fields: Object.keys(values).map((key) => [key, "Text"]),
});

/** Gives a document the metadata of its title and claims. */
export function addMetadata(
  { catalog, context }: PDFDocument,
  title: string,
  { archive, accessible, invoice }: Claims,
): void {
  const schemas = [
    ...(accessible ? [accessibility] : []),
    ...(invoice ? [invoiceOf(invoice.namespace, invoice.values)] : []),
  ];
  const parts = [
    title && element("dc:title", `<rdf:Alt><rdf:li xml:lang="x-default">${escape(title)}</rdf:li></rdf:Alt>`),
    archive && element("pdfaid:part", archive.part) + element("pdfaid:conformance", archive.conformance),
    accessible && element("pdfuaid:part", "1"),
    ...Object.entries(invoice?.values ?? {}).map(([key, value]) => element(`fx:${key}`, escape(value))),
    archive &&
      schemas.length > 0 &&
      element("pdfaExtension:schemas", `<rdf:Bag>${schemas.map(described).join("")}</rdf:Bag>`),
  ];
  if (!parts.some(Boolean)) return;
  const spaces = {
    rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    dc: "http://purl.org/dc/elements/1.1/",
    pdfaid: "http://www.aiim.org/pdfa/ns/id/",
    pdfaExtension: "http://www.aiim.org/pdfa/ns/extension/",
    pdfaSchema: "http://www.aiim.org/pdfa/ns/schema#",
    pdfaProperty: "http://www.aiim.org/pdfa/ns/property#",
    ...Object.fromEntries(schemas.map(({ prefix, space }) => [prefix, space])),
  };
  const declared = Object.entries(spaces).map(([prefix, space]) => ` xmlns:${prefix}="${space}"`);
  const xmp =
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n` +
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF${declared.join("")}><rdf:Description rdf:about="">\n` +
    `${parts.filter(Boolean).join("\n")}\n</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>`;
  // PDF/A allows no filter.
  const stream = context.stream(Buffer.from(xmp), { Type: "Metadata", Subtype: "XML" });
  catalog.set(PDFName.of("Metadata"), context.register(stream));
}

const element = (name: string, content: string) => `<${name}>${content}</${name}>`;
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** PDF/A demands a description of properties that it does not know. */
function described({ space, prefix, title, fields }: Schema): string {
  const properties = fields.map(([key, type]) => {
    const parts = { name: key, valueType: type, category: "external", description: `${title} ${key}` };
    const items = Object.entries(parts).map(([part, value]) => element(`pdfaProperty:${part}`, value));
    return `<rdf:li rdf:parseType="Resource">${items.join("")}</rdf:li>`;
  });
  const parts = { schema: title, namespaceURI: space, prefix };
  const items = Object.entries(parts).map(([part, value]) => element(`pdfaSchema:${part}`, value));
  const list = element("pdfaSchema:property", `<rdf:Seq>${properties.join("")}</rdf:Seq>`);
  return `<rdf:li rdf:parseType="Resource">${items.join("")}${list}</rdf:li>`;
}
