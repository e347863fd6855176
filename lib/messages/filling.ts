import { createElement, Fragment, type ReactNode } from "react";
import { numberFormat, pluralRules } from "./formats.ts";

/** What the code that the build writes in place of staff's messages (`tools/inline-messages.ts`) is made of. */

export const number = (tag: string, value: number): string => numberFormat(tag).format(value);

type Forms<Form> = Record<string, Form>;

export const plural = <Form>(tag: string, count: number, forms: Forms<Form>): Form =>
  forms[`=${count}`] ?? forms[pluralRules(tag).select(count)] ?? forms.other!;

export const choose = <Form>(word: string, forms: Forms<Form>): Form =>
  Object.hasOwn(forms, word) ? forms[word]! : forms.other!;

/** Children in their place, which need no keys. */
export const joined = (...parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
