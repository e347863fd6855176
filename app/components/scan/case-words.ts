import { say } from "#lib/messages/staff.ts";
import { entryOf } from "../text/format.ts";

/** The states of an alert's case in words; a completed one has its outcome. */
export const caseWords = {
  new: say("components.caseWords.new"),
  "in work": say("components.caseWords.inWork"),
  fake: say("components.caseWords.fake"),
  "false alarm": say("components.caseWords.falseAlarm"),
  done: say("components.caseWords.done"),
} as const;

/** The outcomes to choose from when an alert is completed. */
export const outcomeOptions = (["done", "fake", "false alarm"] as const).map((value) => ({
  value,
  label: caseWords[value],
}));

/** A state in words; empty where the provider has none. */
export const caseInWords = (state: string): string => entryOf<string>(caseWords, state) ?? "";

export const ownerInWords = ({ owner, owner_active }: { owner: string; owner_active: boolean }): string =>
  !owner ? say("common.noOwner") : owner_active ? owner : say("components.caseWords.noLongerActive", { owner });
