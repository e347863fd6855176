import { t } from "#lib/messages/staff.ts";
import { entryOf } from "../text/format.ts";

/** The states of an alert's case in words; a completed one has its outcome. */
export const caseWords = {
  new: t("components.caseWords.new"),
  "in work": t("components.caseWords.inWork"),
  fake: t("components.caseWords.fake"),
  "false alarm": t("components.caseWords.falseAlarm"),
  done: t("components.caseWords.done"),
} as const;

/** The outcomes to choose from when an alert is completed. */
export const outcomeOptions = (["done", "fake", "false alarm"] as const).map((value) => ({
  value,
  label: caseWords[value],
}));

/** A state in words; empty if the provider has none. */
export const caseInWords = (state: string): string => entryOf<string>(caseWords, state) ?? "";

export const ownerInWords = ({ owner, owner_active }: { owner: string; owner_active: boolean }): string =>
  !owner ? t("common.noOwner") : owner_active ? owner : t("components.caseWords.noLongerActive", { owner });
