import { randomUUID } from "node:crypto";

/** Where templates are in the store: each in a folder of its own, with what is drawn of it. */

export const newTemplateFolder = () => `templates/${randomUUID()}`;

export const templateKey = (folder: string) => `${folder}/1`;

export const templateFolder = (key: string) => key.replace(/\/1$/, "");
