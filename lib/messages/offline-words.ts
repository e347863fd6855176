import { t } from "#lib/messages/staff.ts";

/** Words of the offline check (`AnswerWords` of `lib/seal/offline-answer.ts`), on its page and on a terminal. */
export const offlineWords = {
  refusals: {
    "no address": { title: t("check.answer.notACode.title"), sentence: t("check.answer.notACode.sentence") },
    plain: { title: t("check.answer.notSigned.title"), sentence: t("check.answer.notSigned.sentence") },
    unreadable: { title: t("check.answer.incomplete.title"), sentence: t("check.answer.incomplete.sentence") },
    "no keys": { title: t("check.answer.noKeys.title"), sentence: t("check.answer.noKeys.sentence") },
    altered: { title: t("check.answer.altered.title"), sentence: t("check.answer.altered.sentence") },
  },
  revokedKey: {
    title: t("check.answer.revokedKey.title"),
    sentence: (values: { day: string }) => t("check.answer.revokedKey.sentence", values),
    sentenceOfCompany: (values: { company: string; day: string }) =>
      t("check.answer.revokedKey.sentenceOfCompany", values),
  },
  otherAddress: {
    title: t("check.answer.otherAddress.title"),
    sentence: (values: { host: string }) => t("check.answer.otherAddress.sentence", values),
  },
  unsavedKey: {
    title: t("check.answer.unsavedKey.title"),
    sentence: (values: { keysAt: string }) => t("check.answer.unsavedKey.sentence", values),
  },
  unknownKey: {
    title: t("check.answer.unknownKey.title"),
    sentence: (values: { keysAt: string }) => t("check.answer.unknownKey.sentence", values),
  },
  signedBy: (values: { company: string }) => t("check.answer.signedBy", values),
  signedByUnnamed: (values: { host: string }) => t("check.answer.signedByUnnamed", values),
  questions: {
    issued: t("check.answer.issued.question"),
    inForce: t("check.answer.inForce.question"),
    paper: t("check.answer.paper.question"),
  },
  issued: {
    title: t("check.answer.issued.title"),
    oldTitle: t("check.answer.issued.oldTitle"),
    unnamedTitle: t("check.answer.issued.unnamedTitle"),
    answer: (values: Keys & { company: string }) => t("check.answer.issued.answer", values),
    oldAnswer: (values: Keys & { company: string }) => t("check.answer.issued.oldAnswer", values),
    unnamedAnswer: (values: Keys & { host: string }) => t("check.answer.issued.unnamedAnswer", values),
    oldUnnamedAnswer: (values: Keys & { host: string }) => t("check.answer.issued.oldUnnamedAnswer", values),
  },
  inForce: {
    yes: {
      title: t("check.answer.inForce.yesTitle"),
      answer: t("check.answer.inForce.yes"),
      answerByList: (values: List) => t("check.answer.inForce.yesByList", values),
    },
    no: {
      title: t("check.answer.inForce.noTitle"),
      answer: t("check.answer.inForce.no"),
      answerByList: (values: List) => t("check.answer.inForce.noByList", values),
    },
    past: {
      title: t("check.answer.inForce.pastTitle"),
      answer: t("check.answer.inForce.past"),
    },
    "ask online": {
      title: t("check.answer.inForce.askOnlineTitle"),
      answer: t("check.answer.inForce.askOnline"),
      answerByList: (values: List) => t("check.answer.inForce.askOnlineByList", values),
    },
    unknown: {
      title: t("check.answer.inForce.unknownTitle"),
      answer: t("check.answer.inForce.unknown"),
    },
    prolongedByList: (values: List) => t("check.answer.inForce.prolonged", values),
  },
  paper: {
    answer: t("check.answer.paper.compare"),
    newerTitle: t("check.answer.paper.newerTitle"),
    newerAnswer: t("check.answer.paper.newer"),
    aheadTitle: t("check.answer.paper.aheadTitle"),
    aheadAnswer: (values: { day: string }) => t("check.answer.paper.ahead", values),
  },
  facts: {
    number: t("common.number"),
    type: t("common.type"),
    date: t("common.date"),
    lastDay: t("check.answer.facts.validUntil"),
    pages: t("common.pages"),
    copy: t("common.copy"),
  },
  longNumber: t("check.answer.facts.longNumber"),
  laterType: t("check.answer.facts.laterType"),
  noLastDay: t("check.answer.facts.noEnd"),
  copyOf: (values: { copy: number; of: number }) => t("check.answer.facts.copyOf", values),
};

type Keys = { keysAt: string };
type List = { listedAt: string };
