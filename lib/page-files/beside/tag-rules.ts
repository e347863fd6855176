import {
  anyName,
  dictionary,
  either,
  byEntry,
  constant,
  copyReference,
  flag,
  list,
  namesTo,
  number,
  row,
  type Rule,
  shortText,
  text,
} from "../pdf/pdf-rules.ts";

/** The allow-list of tags (ISO 32000-2, 14.7): the tree, its attributes, and the way from pages to it. */

const one = either(number, flag, anyName, text);
const value = either(one, list(one));
const attributes = namesTo(value);
const namespace = dictionary(() => ({ Type: constant("Namespace"), NS: text, RoleMapNS: namesTo(anyName) }));
const markedContent = dictionary(() => ({
  Type: constant("MCR"),
  Pg: copyReference,
  Stm: copyReference,
  MCID: number,
}));
/** Of an annotation or picture; without one that the copy lacks. */
const objectReference: Rule = {
  is: "dictionary",
  keys: () => ({ Type: constant("OBJR"), Pg: copyReference, Obj: copyReference }),
  requires: "Obj",
};
const kid = byEntry("Type", () => ({
  MCR: markedContent,
  OBJR: objectReference,
  StructElem: element,
  absent: element,
}));
const kids = either(number, kid, list(either(number, kid)));
const element: Rule = dictionary(() => ({
  Type: constant("StructElem"),
  S: anyName,
  P: copyReference,
  K: kids,
  Pg: copyReference,
  ID: text,
  A: either(attributes, list(either(attributes, number))),
  C: either(anyName, list(either(anyName, number))),
  R: number,
  T: text,
  Lang: shortText,
  Alt: text,
  E: text,
  ActualText: text,
  NS: namespace,
}));

/** The root without the two trees below, which lead to elements that must be there before. */
export const structureRoot = dictionary(() => ({
  Type: constant("StructTreeRoot"),
  K: kids,
  RoleMap: namesTo(anyName),
  ClassMap: namesTo(either(attributes, list(attributes))),
  Namespaces: list(namespace),
  ParentTreeNextKey: number,
}));

const tree = (leaves: string, key: Rule, leaf: Rule): Rule => {
  const pairs: Rule = { is: "array", ruleAt: (place) => (place % 2 === 0 ? key : leaf) };
  const node: Rule = dictionary(() => ({ [leaves]: pairs, Kids: list(node), Limits: list(key) }));
  return node;
};
/** From the numbers of pages and annotations, and from names, to elements. */
export const parentTree = tree("Nums", number, either(copyReference, row(copyReference)));
export const idTree = tree("Names", text, copyReference);
