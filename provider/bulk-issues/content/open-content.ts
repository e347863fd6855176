import type { Services } from "../../services.ts";
import { openArchiveContent } from "./archive-content.ts";
import type { Content, ContentOf } from "./content.ts";
import { openTemplateContent } from "./template-content.ts";

/** Opens what the documents of a bulk issue are made of; undefined if it is not there. */
export const openContent = (services: Services, of: ContentOf): Promise<Content | undefined> =>
  of.issue.content === "template" ? openTemplateContent(services, of) : openArchiveContent(services, of);
