import { fold } from "#lib/text.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { systemFields } from "../../../components/record/document-fields.ts";
import { showDate } from "../../../components/text/format.ts";
import { type Draft, type DraftValues, readingsOf } from "../../../server/drafts/drafts.ts";
import { requesterOf } from "../../../server/page-work.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getUser } from "../../../server/sessions/current-user.ts";

/** What a draft's pages say of its fields, for the user to accept. */

/** `values` has two dates if day and month may be either way; `at` is the label on the page. */
export type PageOffer = Record<"field" | "label" | "current" | "at", string> & {
  isCustom: boolean;
  values: string[];
  isUsed: boolean;
  page: number;
};

const systemField = (field: string) => systemFields.find(({ name }) => name === field);
const customFields = ({ custom_fields = [] }: DraftValues) => custom_fields;

type Reader = { context: Context; request: Request; suggested: string[] };

/** With `reader` pages are read that were not yet read for the draft's custom fields and the suggested ones. */
export async function pageOffers(draft: Draft, reader?: Reader): Promise<PageOffer[]> {
  const names = [...customFields(draft.values).map(({ name }) => name), ...(reader?.suggested ?? [])];
  const labels = [...new Set(names)].filter((name) => !systemField(name)).toSorted();
  const wanted = { type: draft.values.document_type ?? "", labels };
  const requester = reader && requesterOf(getUser(reader.context), reader.request);
  const readings = await readingsOf(draft, requester && { wanted, requester });
  return readings.map(({ field, values, page, label: at }) => {
    const system = systemField(field);
    const custom = system ? undefined : customFields(draft.values).find(({ name }) => fold(name) === fold(field));
    const current = (system ? draft.values[field as "name"] : custom?.value) ?? "";
    const isUsed = values.some((value) => fold(isoDate(current)) === fold(value));
    const name = custom?.name ?? field;
    const [isCustom, label] = [!system, system?.label ?? name];
    return { field: name, label, isCustom, values: values.map(showDate), current, isUsed, page, at };
  });
}

/** The values that an offer's button fills in: none for other buttons, and for offers that are gone. */
export async function offeredValues(draft: Draft, intent: string): Promise<DraftValues> {
  const [, n, value = ""] = /^use (\d+) (.*)$/s.exec(intent) ?? [];
  const offer = n && (await pageOffers(draft))[Number(n)];
  if (!offer || !offer.values.includes(value)) return {};
  const { field, isCustom } = offer;
  if (!isCustom) return { [field]: value, ...(field === "expire_date" && { expire_type: "date" }) };
  const fields = customFields(draft.values);
  const place = fields.findIndex(({ name }) => name === field);
  return { custom_fields: fields.toSpliced(place < 0 ? fields.length : place, 1, { name: field, value }) };
}
