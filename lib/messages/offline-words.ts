import { say } from "./staff.ts";

/** Words of the offline check (`AnswerWords` of `lib/seal/offline-answer.ts`), on its page and on a terminal. */
export const offlineWords = {
  refusals: {
    "no address": { title: say("check.answer.notACode.title"), sentence: say("check.answer.notACode.sentence") },
    plain: { title: say("check.answer.notSigned.title"), sentence: say("check.answer.notSigned.sentence") },
    unreadable: { title: say("check.answer.incomplete.title"), sentence: say("check.answer.incomplete.sentence") },
    "no keys": { title: say("check.answer.noKeys.title"), sentence: say("check.answer.noKeys.sentence") },
    altered: { title: say("check.answer.altered.title"), sentence: say("check.answer.altered.sentence") },
  },
  revokedKey: {
    title: say("check.answer.revokedKey.title"),
    sentence: (values: { day: string }) => say("check.answer.revokedKey.sentence", values),
    sentenceOfCompany: (values: { company: string; day: string }) =>
      say("check.answer.revokedKey.sentenceOfCompany", values),
  },
  otherAddress: {
    title: say("check.answer.otherAddress.title"),
    sentence: (values: { host: string }) => say("check.answer.otherAddress.sentence", values),
  },
  unsavedKey: {
    title: say("check.answer.unsavedKey.title"),
    sentence: (values: { keysAt: string }) => say("check.answer.unsavedKey.sentence", values),
  },
  unknownKey: {
    title: say("check.answer.unknownKey.title"),
    sentence: (values: { keysAt: string }) => say("check.answer.unknownKey.sentence", values),
  },
  signedBy: (values: { company: string }) => say("check.answer.signedBy", values),
  signedByUnnamed: (values: { host: string }) => say("check.answer.signedByUnnamed", values),
  questions: {
    issued: say("check.answer.issued.question"),
    inForce: say("check.answer.inForce.question"),
    paper: say("check.answer.paper.question"),
  },
  issued: {
    title: say("check.answer.issued.title"),
    oldTitle: say("check.answer.issued.oldTitle"),
    unnamedTitle: say("check.answer.issued.unnamedTitle"),
    answer: (values: Keys & { company: string }) => say("check.answer.issued.answer", values),
    oldAnswer: (values: Keys & { company: string }) => say("check.answer.issued.oldAnswer", values),
    unnamedAnswer: (values: Keys & { host: string }) => say("check.answer.issued.unnamedAnswer", values),
    oldUnnamedAnswer: (values: Keys & { host: string }) => say("check.answer.issued.oldUnnamedAnswer", values),
  },
  inForce: {
    yes: {
      title: say("check.answer.inForce.yesTitle"),
      answer: say("check.answer.inForce.yes"),
      answerByList: (values: List) => say("check.answer.inForce.yesByList", values),
    },
    no: {
      title: say("check.answer.inForce.noTitle"),
      answer: say("check.answer.inForce.no"),
      answerByList: (values: List) => say("check.answer.inForce.noByList", values),
    },
    past: {
      title: say("check.answer.inForce.pastTitle"),
      answer: say("check.answer.inForce.past"),
    },
    "ask online": {
      title: say("check.answer.inForce.askOnlineTitle"),
      answer: say("check.answer.inForce.askOnline"),
      answerByList: (values: List) => say("check.answer.inForce.askOnlineByList", values),
    },
    unknown: {
      title: say("check.answer.inForce.unknownTitle"),
      answer: say("check.answer.inForce.unknown"),
    },
    prolongedByList: (values: List) => say("check.answer.inForce.prolonged", values),
  },
  paper: {
    answer: say("check.answer.paper.compare"),
    newerTitle: say("check.answer.paper.newerTitle"),
    newerAnswer: say("check.answer.paper.newer"),
    aheadTitle: say("check.answer.paper.aheadTitle"),
    aheadAnswer: (values: { day: string }) => say("check.answer.paper.ahead", values),
  },
  facts: {
    number: say("common.number"),
    type: say("common.type"),
    date: say("common.date"),
    lastDay: say("check.answer.facts.validUntil"),
    pages: say("common.pages"),
    copy: say("common.copy"),
  },
  longNumber: say("check.answer.facts.longNumber"),
  laterType: say("check.answer.facts.laterType"),
  noLastDay: say("check.answer.facts.noEnd"),
  copyOf: (values: { copy: number; of: number }) => say("check.answer.facts.copyOf", values),
};

type Keys = { keysAt: string };
type List = { listedAt: string };
