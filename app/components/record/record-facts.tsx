import type { ReactNode } from "react";
import { Avatar } from "../user/avatar.tsx";
import { Facts, mailFact } from "./facts.tsx";
import { fieldsOf, formValues, type RecordSection, valueInWords } from "./record-fields.ts";

type RecordFactsProps = {
  sections: RecordSection[];
  record: object;
  /** The record's picture, if it is a fact. */
  picture?: { name: string; src: string | undefined };
};

/** A record's fields to read: those that it has, in the order of its form. */
export function RecordFacts({ sections, record, picture }: RecordFactsProps) {
  const values = formValues(record);
  const facts = fieldsOf(sections).flatMap((field): [string, ReactNode][] => {
    const { name, label, type, isReadOnly } = field;
    if (type === "image") return picture ? [[label, <Avatar key={name} {...picture} />]] : [];
    const value = values[name];
    if (value === undefined || (isReadOnly && !value)) return [];
    return [[label, type === "email" ? mailFact(value) : valueInWords(field, value)]];
  });
  return <Facts facts={facts} />;
}
