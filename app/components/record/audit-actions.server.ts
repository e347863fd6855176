import { say } from "#lib/messages/staff.ts";
import { capital, entryOf } from "../text/format.ts";

/** The words of the audit trail as pages show them; another provider's own ones as they come, with a capital. */

export const actionWords = {
  founded: say("components.auditActions.founded"),
  added: say("components.auditActions.added"),
  changed: say("components.auditActions.changed"),
  removed: say("components.auditActions.removed"),
  "user moved in": say("components.auditActions.userMovedIn"),
  "user moved out": say("components.auditActions.userMovedOut"),
  invited: say("components.auditActions.invited"),
  joined: say("components.auditActions.joined"),
  "password changed": say("components.auditActions.passwordChanged"),
  "password reset": say("components.auditActions.passwordReset"),
  "second factor set up": say("components.auditActions.secondFactorSetUp"),
  "second factor replaced": say("components.auditActions.secondFactorReplaced"),
  "second factor removed": say("components.auditActions.secondFactorRemoved"),
  "second factor cleared": say("components.auditActions.secondFactorCleared"),
  "recovery codes made": say("components.auditActions.recoveryCodesMade"),
  "passkey added": say("components.auditActions.passkeyAdded"),
  "passkey removed": say("components.auditActions.passkeyRemoved"),
  issued: say("components.auditActions.issued"),
  archived: say("components.auditActions.archived"),
  restored: say("components.auditActions.restored"),
  exited: say("components.auditActions.exited"),
  reactivated: say("components.auditActions.reactivated"),
  prolonged: say("components.auditActions.prolonged"),
  "copy withdrawn": say("components.auditActions.copyWithdrawn"),
  "copy restored": say("components.auditActions.copyRestored"),
  completed: say("components.auditActions.completed"),
  reopened: say("components.auditActions.reopened"),
  "first seen": say("components.auditActions.firstSeen"),
  assigned: say("components.auditActions.assigned"),
  commented: say("components.auditActions.commented"),
  "comment removed": say("components.auditActions.commentRemoved"),
  "place removed": say("components.auditActions.placeRemoved"),
  erased: say("components.auditActions.erased"),
  "identity connected": say("components.auditActions.identityConnected"),
  "earlier access ended": say("components.auditActions.earlierAccessEnded"),
  "seal key made": say("components.auditActions.sealKeyMade"),
  "seal key rotated": say("components.auditActions.sealKeyRotated"),
  "seal key revoked": say("components.auditActions.sealKeyRevoked"),
  "seal key naming changed": say("components.auditActions.sealKeyNamingChanged"),
  "withdrawal reason added": say("components.auditActions.withdrawalReasonAdded"),
  "withdrawal reason changed": say("components.auditActions.withdrawalReasonChanged"),
  "withdrawal reason moved": say("components.auditActions.withdrawalReasonMoved"),
  "withdrawal reason removed": say("components.auditActions.withdrawalReasonRemoved"),
  "single sign-on changed": say("components.auditActions.singleSignOnChanged"),
  "single sign-on removed": say("components.auditActions.singleSignOnRemoved"),
  "calendar address made": say("components.auditActions.calendarAddressMade"),
  "calendar address removed": say("components.auditActions.calendarAddressRemoved"),
  "API key made": say("components.auditActions.apiKeyMade"),
  "API key revoked": say("components.auditActions.apiKeyRevoked"),
  "bulk issue started": say("components.auditActions.bulkIssueStarted"),
  "bulk issue paused": say("components.auditActions.bulkIssuePaused"),
  "bulk issue resumed": say("components.auditActions.bulkIssueResumed"),
  "bulk issue cancelled": say("components.auditActions.bulkIssueCancelled"),
  "bulk issue finished": say("components.auditActions.bulkIssueFinished"),
  "signed in": say("components.auditActions.signedIn"),
  "sign-in failed": say("components.auditActions.signInFailed"),
  "sign-ins slowed down": say("components.auditActions.signInsSlowedDown"),
  "sign-ins limited": say("components.auditActions.signInsLimited"),
  "second factor failed": say("components.auditActions.secondFactorFailed"),
  "signed out": say("components.auditActions.signedOut"),
  "session ended": say("components.auditActions.sessionEnded"),
  "access refused": say("components.auditActions.accessRefused"),
  exported: say("components.auditActions.exported"),
  downloaded: say("components.auditActions.downloaded"),
} as const;

const entityWords = {
  company: say("components.auditEntities.company"),
  branch: say("components.auditEntities.branch"),
  "access group": say("components.auditEntities.accessGroup"),
  user: say("components.auditEntities.user"),
  document: say("components.auditEntities.document"),
  alert: say("components.auditEntities.alert"),
  "alert rule": say("components.auditEntities.alertRule"),
  template: say("components.auditEntities.template"),
  view: say("components.auditEntities.view"),
  webhook: say("components.auditEntities.webhook"),
  list: say("components.auditEntities.list"),
  request: say("components.auditEntities.request"),
} as const;

export const trailWords = {
  changes: say("components.auditTrails.changes"),
  access: say("components.auditTrails.access"),
} as const;

const inWords = (words: Record<string, string>, word: string) => entryOf(words, word) ?? capital(word);

export const actionInWords = (action: string) => inWords(actionWords, action);
export const entityInWords = (entity: string) => inWords(entityWords, entity);
export const trailInWords = (trail: string) => inWords(trailWords, trail);
