import { t } from "#lib/messages/staff.ts";
import { capital, entryOf } from "../text/format.ts";

/** The words of the audit trail as pages show them; another provider's own ones as they come, with a capital. */

export const actionWords = {
  founded: t("components.auditActions.founded"),
  added: t("components.auditActions.added"),
  changed: t("components.auditActions.changed"),
  removed: t("components.auditActions.removed"),
  "user moved in": t("components.auditActions.userMovedIn"),
  "user moved out": t("components.auditActions.userMovedOut"),
  invited: t("components.auditActions.invited"),
  joined: t("components.auditActions.joined"),
  "password changed": t("components.auditActions.passwordChanged"),
  "password reset": t("components.auditActions.passwordReset"),
  "second factor set up": t("components.auditActions.secondFactorSetUp"),
  "second factor replaced": t("components.auditActions.secondFactorReplaced"),
  "second factor removed": t("components.auditActions.secondFactorRemoved"),
  "second factor cleared": t("components.auditActions.secondFactorCleared"),
  "recovery codes made": t("components.auditActions.recoveryCodesMade"),
  "passkey added": t("components.auditActions.passkeyAdded"),
  "passkey removed": t("components.auditActions.passkeyRemoved"),
  issued: t("components.auditActions.issued"),
  archived: t("components.auditActions.archived"),
  restored: t("components.auditActions.restored"),
  exited: t("components.auditActions.exited"),
  reactivated: t("components.auditActions.reactivated"),
  prolonged: t("components.auditActions.prolonged"),
  "copy withdrawn": t("components.auditActions.copyWithdrawn"),
  "copy restored": t("components.auditActions.copyRestored"),
  completed: t("components.auditActions.completed"),
  reopened: t("components.auditActions.reopened"),
  "first seen": t("components.auditActions.firstSeen"),
  assigned: t("components.auditActions.assigned"),
  commented: t("components.auditActions.commented"),
  "comment removed": t("components.auditActions.commentRemoved"),
  "place removed": t("components.auditActions.placeRemoved"),
  erased: t("components.auditActions.erased"),
  "identity connected": t("components.auditActions.identityConnected"),
  "earlier access ended": t("components.auditActions.earlierAccessEnded"),
  "seal key made": t("components.auditActions.sealKeyMade"),
  "seal key rotated": t("components.auditActions.sealKeyRotated"),
  "seal key revoked": t("components.auditActions.sealKeyRevoked"),
  "seal key naming changed": t("components.auditActions.sealKeyNamingChanged"),
  "withdrawal reason added": t("components.auditActions.withdrawalReasonAdded"),
  "withdrawal reason changed": t("components.auditActions.withdrawalReasonChanged"),
  "withdrawal reason moved": t("components.auditActions.withdrawalReasonMoved"),
  "withdrawal reason removed": t("components.auditActions.withdrawalReasonRemoved"),
  "single sign-on changed": t("components.auditActions.singleSignOnChanged"),
  "single sign-on removed": t("components.auditActions.singleSignOnRemoved"),
  "calendar address made": t("components.auditActions.calendarAddressMade"),
  "calendar address removed": t("components.auditActions.calendarAddressRemoved"),
  "API key made": t("components.auditActions.apiKeyMade"),
  "API key revoked": t("components.auditActions.apiKeyRevoked"),
  "bulk issue started": t("components.auditActions.bulkIssueStarted"),
  "bulk issue paused": t("components.auditActions.bulkIssuePaused"),
  "bulk issue resumed": t("components.auditActions.bulkIssueResumed"),
  "bulk issue cancelled": t("components.auditActions.bulkIssueCancelled"),
  "bulk issue finished": t("components.auditActions.bulkIssueFinished"),
  "signed in": t("components.auditActions.signedIn"),
  "sign-in failed": t("components.auditActions.signInFailed"),
  "sign-ins slowed down": t("components.auditActions.signInsSlowedDown"),
  "sign-ins limited": t("components.auditActions.signInsLimited"),
  "second factor failed": t("components.auditActions.secondFactorFailed"),
  "signed out": t("components.auditActions.signedOut"),
  "session ended": t("components.auditActions.sessionEnded"),
  "access refused": t("components.auditActions.accessRefused"),
  exported: t("components.auditActions.exported"),
  downloaded: t("components.auditActions.downloaded"),
} as const;

const entityWords = {
  company: t("components.auditEntities.company"),
  branch: t("components.auditEntities.branch"),
  "access group": t("components.auditEntities.accessGroup"),
  user: t("components.auditEntities.user"),
  document: t("components.auditEntities.document"),
  alert: t("components.auditEntities.alert"),
  "alert rule": t("components.auditEntities.alertRule"),
  template: t("components.auditEntities.template"),
  view: t("components.auditEntities.view"),
  webhook: t("components.auditEntities.webhook"),
  list: t("components.auditEntities.list"),
  request: t("components.auditEntities.request"),
} as const;

export const trailWords = {
  changes: t("components.auditTrails.changes"),
  access: t("components.auditTrails.access"),
} as const;

const inWords = (words: Record<string, string>, word: string) => entryOf(words, word) ?? capital(word);

export const actionInWords = (action: string) => inWords(actionWords, action);
export const entityInWords = (entity: string) => inWords(entityWords, entity);
export const trailInWords = (trail: string) => inWords(trailWords, trail);
