import { randomUUID } from "node:crypto";

/** Keys of templates in the store: each in a folder of its own, with its image. */

export const newTemplateFolder = () => `templates/${randomUUID()}`;

export const templateKey = (folder: string) => `${folder}/1`;

export const templateFolder = (key: string) => key.replace(/\/1$/, "");
