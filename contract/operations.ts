import type { Operation } from './operation.ts';
import * as accounts from './operations/accounts.ts';
import * as analytics from './operations/analytics.ts';
import * as connections from './operations/connections.ts';
import * as deletedProjects from './operations/deleted-projects.ts';
import * as domains from './operations/domains.ts';
import * as events from './operations/events.ts';
import * as fileTexts from './operations/file-texts.ts';
import * as files from './operations/files.ts';
import * as invitations from './operations/invitations.ts';
import * as keys from './operations/keys.ts';
import * as linkUploads from './operations/link-uploads.ts';
import * as operators from './operations/operators.ts';
import * as ownAccount from './operations/own-account.ts';
import * as previews from './operations/previews.ts';
import * as projectSettings from './operations/project-settings.ts';
import * as projects from './operations/projects.ts';
import * as shareLinks from './operations/share-links.ts';
import * as sharing from './operations/sharing.ts';
import * as system from './operations/system.ts';
import * as tempProjects from './operations/temp-projects.ts';
import * as trustedPublishers from './operations/trusted-publishers.ts';
import * as uploadLinks from './operations/upload-links.ts';
import * as uploads from './operations/uploads.ts';
import * as versions from './operations/versions.ts';
import * as visitors from './operations/visitors.ts';
import * as webSession from './operations/web-session.ts';
import * as webhookDeliveries from './operations/webhook-deliveries.ts';
import * as webhooks from './operations/webhooks.ts';
import * as workspaces from './operations/workspaces.ts';

/** Every operation of the public interface, in the order the documentation lists them. */
export const operations: readonly Operation[] = [
  system.getHealth,
  system.getVersion,
  system.getOpenApi,
  system.getLlmsText,
  system.getLlmsFullText,
  accounts.requestSignInCode,
  accounts.verifySignInCode,
  accounts.getSession,
  accounts.getUser,
  ownAccount.exportAccount,
  ownAccount.getMailChoices,
  ownAccount.updateMailChoices,
  ownAccount.requestEmailChange,
  ownAccount.verifyEmailChange,
  accounts.closeAccount,
  uploads.beginUpload,
  uploads.getUpload,
  uploadLinks.createUploadLink,
  uploadLinks.listUploadLinks,
  uploadLinks.listSenders,
  uploadLinks.deleteUploadLink,
  linkUploads.publishByLink,
  linkUploads.beginLinkUpload,
  linkUploads.getLinkUpload,
  webSession.openWebSession,
  webSession.getWebSession,
  webSession.endWebSession,
  webSession.listSessions,
  webSession.deleteSession,
  webSession.deleteOtherSessions,
  keys.listKeys,
  keys.createKey,
  keys.deleteKey,
  trustedPublishers.listTrustedPublishers,
  trustedPublishers.addTrustedPublisher,
  trustedPublishers.deleteTrustedPublisher,
  connections.listConnections,
  connections.deleteConnection,
  projects.listProjects,
  projects.createProject,
  projects.duplicateProject,
  tempProjects.publishTempProject,
  projects.claimProject,
  projects.getProject,
  versions.replaceProjectFiles,
  projectSettings.updateProjectSettings,
  projects.deleteProject,
  deletedProjects.listDeletedProjects,
  deletedProjects.restoreProject,
  projectSettings.archiveProject,
  projectSettings.unarchiveProject,
  projectSettings.createViewLink,
  shareLinks.createShareLink,
  shareLinks.listShareLinks,
  shareLinks.updateShareLink,
  shareLinks.deleteShareLink,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhookDeliveries.testWebhook,
  webhookDeliveries.listDeliveries,
  webhookDeliveries.redeliver,
  events.listEvents,
  visitors.listVisitors,
  visitors.deleteVisitor,
  files.listProjectFiles,
  files.changeProjectFiles,
  files.createFileLink,
  fileTexts.readFileTexts,
  versions.listDeployments,
  versions.rollBackProject,
  versions.previewVersion,
  versions.diffVersion,
  previews.putPreview,
  previews.listPreviews,
  previews.deletePreview,
  analytics.getProjectOpens,
  analytics.listProjectHits,
  workspaces.listWorkspaces,
  workspaces.createWorkspace,
  workspaces.renameWorkspace,
  workspaces.deleteWorkspace,
  domains.listDomains,
  domains.updateDomain,
  domains.addDomain,
  domains.getDomain,
  domains.checkDomain,
  domains.deleteDomain,
  sharing.getQrCode,
  sharing.getEmbed,
  operators.listReports,
  operators.resolveReports,
  operators.takeDownProject,
  operators.liftTakedown,
  operators.listAccounts,
  operators.setAccountPlan,
  operators.suspendAccount,
  operators.unsuspendAccount,
  invitations.listInvitations,
  invitations.createInvitation,
  invitations.deleteInvitation,
];
