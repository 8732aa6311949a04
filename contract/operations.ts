import { createInvitation, deleteInvitation, listInvitations } from './operations/invitations.ts';
import { deletePreview, listPreviews, putPreview } from './operations/previews.ts';
import {
  listAccounts,
  liftTakedown,
  listReports,
  resolveReports,
  setAccountPlan,
  suspendAccount,
  takeDownProject,
  unsuspendAccount,
} from './operations/operators.ts';
import {
  closeAccount,
  getUser,
  requestSignInCode,
  getSession,
  verifySignInCode,
} from './operations/accounts.ts';
import {
  addDomain,
  checkDomain,
  deleteDomain,
  getDomain,
  listDomains,
  updateDomain,
} from './operations/domains.ts';
import { listDeletedProjects, restoreProject } from './operations/deleted-projects.ts';
import { getProjectOpens, listProjectHits } from './operations/analytics.ts';
import { deleteConnection, listConnections } from './operations/connections.ts';
import { createKey, deleteKey, listKeys } from './operations/keys.ts';
import {
  addTrustedPublisher,
  deleteTrustedPublisher,
  listTrustedPublishers,
} from './operations/trusted-publishers.ts';
import type { Operation } from './operation.ts';
import { listEvents } from './operations/events.ts';
import { listDeliveries, redeliver, testWebhook } from './operations/webhook-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './operations/webhooks.ts';
import { changeProjectFiles, createFileLink, listProjectFiles } from './operations/files.ts';
import {
  exportAccount,
  getMailChoices,
  requestEmailChange,
  updateMailChoices,
  verifyEmailChange,
} from './operations/own-account.ts';
import {
  claimProject,
  createProject,
  deleteProject,
  duplicateProject,
  getProject,
  listProjects,
} from './operations/projects.ts';
import {
  archiveProject,
  unarchiveProject,
  updateProjectSettings,
  createViewLink,
} from './operations/project-settings.ts';
import { getEmbed, getQrCode } from './operations/sharing.ts';
import { readFileTexts } from './operations/file-texts.ts';
import {
  getHealth,
  getLlmsText,
  getLlmsFullText,
  getOpenApi,
  getVersion,
} from './operations/system.ts';
import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  updateShareLink,
} from './operations/share-links.ts';
import { deleteVisitor, listVisitors } from './operations/visitors.ts';
import { publishTempProject } from './operations/temp-projects.ts';
import { beginLinkUpload, getLinkUpload, publishByLink } from './operations/link-uploads.ts';
import {
  createUploadLink,
  deleteUploadLink,
  listSenders,
  listUploadLinks,
} from './operations/upload-links.ts';
import { beginUpload, getUpload } from './operations/uploads.ts';
import {
  diffVersion,
  listDeployments,
  previewVersion,
  replaceProjectFiles,
  rollBackProject,
} from './operations/versions.ts';
import {
  deleteOtherSessions,
  deleteSession,
  endWebSession,
  getWebSession,
  listSessions,
  openWebSession,
} from './operations/web-session.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
} from './operations/workspaces.ts';

/** Every operation of the public interface, in the order the documentation lists them. */
export const operations: readonly Operation[] = [
  getHealth,
  getVersion,
  getOpenApi,
  getLlmsText,
  getLlmsFullText,
  requestSignInCode,
  verifySignInCode,
  getSession,
  getUser,
  exportAccount,
  getMailChoices,
  updateMailChoices,
  requestEmailChange,
  verifyEmailChange,
  closeAccount,
  beginUpload,
  getUpload,
  createUploadLink,
  listUploadLinks,
  listSenders,
  deleteUploadLink,
  publishByLink,
  beginLinkUpload,
  getLinkUpload,
  openWebSession,
  getWebSession,
  endWebSession,
  listSessions,
  deleteSession,
  deleteOtherSessions,
  listKeys,
  createKey,
  deleteKey,
  listTrustedPublishers,
  addTrustedPublisher,
  deleteTrustedPublisher,
  listConnections,
  deleteConnection,
  listProjects,
  createProject,
  duplicateProject,
  publishTempProject,
  claimProject,
  getProject,
  replaceProjectFiles,
  updateProjectSettings,
  deleteProject,
  listDeletedProjects,
  restoreProject,
  archiveProject,
  unarchiveProject,
  createViewLink,
  createShareLink,
  listShareLinks,
  updateShareLink,
  deleteShareLink,
  createWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  redeliver,
  listEvents,
  listVisitors,
  deleteVisitor,
  listProjectFiles,
  changeProjectFiles,
  createFileLink,
  readFileTexts,
  listDeployments,
  rollBackProject,
  previewVersion,
  diffVersion,
  putPreview,
  listPreviews,
  deletePreview,
  getProjectOpens,
  listProjectHits,
  listWorkspaces,
  createWorkspace,
  renameWorkspace,
  deleteWorkspace,
  listDomains,
  updateDomain,
  addDomain,
  getDomain,
  checkDomain,
  deleteDomain,
  getQrCode,
  getEmbed,
  listReports,
  resolveReports,
  takeDownProject,
  liftTakedown,
  listAccounts,
  setAccountPlan,
  suspendAccount,
  unsuspendAccount,
  listInvitations,
  createInvitation,
  deleteInvitation,
];
