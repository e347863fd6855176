import * as groups from "./access-groups.ts";
import * as alerts from "./alerts.ts";
import * as audit from "./audit.ts";
import * as branches from "./branches.ts";
import type { Call } from "./call.ts";
import * as company from "./company.ts";
import * as fileChecks from "./file-checks.ts";
import * as copies from "./copies.ts";
import * as emails from "./email-changes.ts";
import * as documentFiles from "./document-files.ts";
import * as documentForm from "./document-form.ts";
import * as documents from "./documents.ts";
import * as help from "./help.ts";
import * as openSessions from "./open-sessions.ts";
import * as profile from "./profile.ts";
import * as search from "./search.ts";
import * as service from "./service.ts";
import * as scans from "./scans.ts";
import * as sealKeys from "./seal-keys.ts";
import * as signatures from "./signatures.ts";
import * as sessions from "./sessions.ts";
import * as tariffs from "./tariffs.ts";
import * as users from "./users.ts";
import * as verification from "./verify.ts";

/** Every call of the contract by name. */
export const calls = {
  login: sessions.login,
  logout: sessions.logout,
  signupLink: sessions.signupLink,
  signup: sessions.signup,
  forgotPassword: sessions.forgotPassword,
  currentUser: users.currentUser,
  listUsers: users.listUsers,
  getUser: users.getUser,
  getUserImage: users.getUserImage,
  createUser: users.createUser,
  updateUser: users.updateUser,
  removeUser: users.removeUser,
  inviteUser: users.inviteUser,
  reactivateUser: users.reactivateUser,
  listSuggestions: users.listSuggestions,
  eraseUser: users.eraseUser,
  listAccessGroups: groups.listAccessGroups,
  getAccessGroup: groups.getAccessGroup,
  createAccessGroup: groups.createAccessGroup,
  updateAccessGroup: groups.updateAccessGroup,
  removeAccessGroup: groups.removeAccessGroup,
  listMembers: groups.listMembers,
  getCompany: company.getCompany,
  updateCompany: company.updateCompany,
  getCompanyImage: company.getCompanyImage,
  listSealKeys: sealKeys.listSealKeys,
  nameSealKeys: sealKeys.nameSealKeys,
  rotateSealKey: sealKeys.rotateSealKey,
  revokeSealKey: sealKeys.revokeSealKey,
  publishedSealKeys: sealKeys.publishedSealKeys,
  publishedSealRoots: sealKeys.publishedSealRoots,
  publishedStatusLists: sealKeys.publishedStatusLists,
  publishedStatusList: sealKeys.publishedStatusList,
  listBranches: branches.listBranches,
  createBranch: branches.createBranch,
  getBranch: branches.getBranch,
  updateBranch: branches.updateBranch,
  getBranchImage: branches.getBranchImage,
  removeBranch: branches.removeBranch,
  listBranchUsers: branches.listBranchUsers,
  addUserToBranch: branches.addUserToBranch,
  listAlerts: alerts.listAlerts,
  getAlert: alerts.getAlert,
  listAlertScans: scans.listAlertScans,
  listDocumentScans: scans.listDocumentScans,
  listScans: scans.listScans,
  scanPlaces: scans.scanPlaces,
  removeScanPlace: scans.removeScanPlace,
  dailyScans: scans.dailyScans,
  completeAlert: alerts.completeAlert,
  reopenAlert: alerts.reopenAlert,
  checkSignature: signatures.checkSignature,
  verify: verification.verify,
  recordScan: verification.recordScan,
  locateScan: verification.locateScan,
  complain: verification.complain,
  getOpenPage: verification.getOpenPage,
  documentOptions: documentForm.documentOptions,
  listDocuments: documents.listDocuments,
  getDocument: documents.getDocument,
  listReaders: documents.listReaders,
  storeDocument: documentForm.storeDocument,
  checkDocument: documentForm.checkDocument,
  updateDocument: documentForm.updateDocument,
  archiveDocument: documents.archiveDocument,
  restoreDocument: documents.restoreDocument,
  exitDocument: documents.exitDocument,
  reactivateDocument: documents.reactivateDocument,
  prolongDocument: documents.prolongDocument,
  listCopies: copies.listCopies,
  withdrawCopy: copies.withdrawCopy,
  restoreCopy: copies.restoreCopy,
  getPageFile: documentFiles.getPageFile,
  getPageThumbnail: documentFiles.getPageThumbnail,
  getQrCode: documentFiles.getQrCode,
  getSealedPdf: documentFiles.getSealedPdf,
  getSealedPdfs: documentFiles.getSealedPdfs,
  checkFile: fileChecks.checkFile,
  checkDocumentFile: fileChecks.checkDocumentFile,
  getProfile: profile.getProfile,
  updateProfile: profile.updateProfile,
  getProfileImage: profile.getProfileImage,
  changePassword: profile.changePassword,
  changeEmail: emails.changeEmail,
  resendEmail: emails.resendEmail,
  cancelEmail: emails.cancelEmail,
  resendUserEmail: emails.resendUserEmail,
  cancelUserEmail: emails.cancelUserEmail,
  emailLink: emails.emailLink,
  confirmEmail: emails.confirmEmail,
  listOwnSessions: openSessions.listOwnSessions,
  endOtherSessions: openSessions.endOtherSessions,
  endOwnSession: openSessions.endOwnSession,
  listUserSessions: openSessions.listUserSessions,
  endUserSessions: openSessions.endUserSessions,
  endUserSession: openSessions.endUserSession,
  listAudit: audit.listAudit,
  documentHistory: audit.documentHistory,
  userHistory: audit.userHistory,
  branchHistory: audit.branchHistory,
  alertHistory: audit.alertHistory,
  accessGroupHistory: audit.accessGroupHistory,
  listTariffs: tariffs.listTariffs,
  changeTariff: tariffs.changeTariff,
  companyBill: tariffs.companyBill,
  listHelp: help.listHelp,
  search: search.search,
  health: service.health,
  openapi: service.openapi,
} as const satisfies Record<string, Call>;

export type Calls = typeof calls;
export type CallName = keyof Calls;
