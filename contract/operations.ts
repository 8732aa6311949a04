import {
  findOperatedAccount,
  liftProjectTakedown,
  listReports,
  suspendOperatedAccount,
  takeDownProject,
  unsuspendOperatedAccount,
} from './operations/operators.ts';
import {
  closeAccount,
  getUser,
  requestCode,
  getSession,
  verifyCode,
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
import type { Operation } from './operation.ts';
import { changeFiles, createFileLink, listFiles } from './operations/files.ts';
import { exportAccount, requestEmailChange, verifyEmailChange } from './operations/own-account.ts';
import {
  claimProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
} from './operations/projects.ts';
import {
  archiveProject,
  unarchiveProject,
  updateProject,
  createViewLink,
} from './operations/project-settings.ts';
import { getEmbed, getQrCode } from './operations/sharing.ts';
import { readFileTexts } from './operations/file-texts.ts';
import { health, llms, llmsFull, openApi, root } from './operations/system.ts';
import { publishTemp } from './operations/temp-projects.ts';
import {
  beginLinkUpload,
  createUploadLink,
  deleteUploadLink,
  getLinkUpload,
  listUploadLinks,
  publishByLink,
} from './operations/upload-links.ts';
import { beginUpload, getUpload } from './operations/uploads.ts';
import {
  diffVersion,
  listDeployments,
  previewVersion,
  replaceFiles,
  rollBack,
} from './operations/versions.ts';
import {
  deleteOtherSessions,
  deleteSession,
  endSession,
  getWebSession,
  listSessions,
  openSession,
} from './operations/web-session.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
} from './operations/workspaces.ts';

/** Every operation of the public interface, in the order the documentation lists them. */
export const operations: readonly Operation[] = [
  health,
  root,
  openApi,
  llms,
  llmsFull,
  requestCode,
  verifyCode,
  getSession,
  getUser,
  exportAccount,
  requestEmailChange,
  verifyEmailChange,
  closeAccount,
  beginUpload,
  getUpload,
  createUploadLink,
  listUploadLinks,
  deleteUploadLink,
  publishByLink,
  beginLinkUpload,
  getLinkUpload,
  openSession,
  getWebSession,
  endSession,
  listSessions,
  deleteSession,
  deleteOtherSessions,
  listKeys,
  createKey,
  deleteKey,
  listConnections,
  deleteConnection,
  listProjects,
  createProject,
  publishTemp,
  claimProject,
  getProject,
  replaceFiles,
  updateProject,
  deleteProject,
  listDeletedProjects,
  restoreProject,
  archiveProject,
  unarchiveProject,
  createViewLink,
  listFiles,
  changeFiles,
  createFileLink,
  readFileTexts,
  listDeployments,
  rollBack,
  previewVersion,
  diffVersion,
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
  takeDownProject,
  liftProjectTakedown,
  findOperatedAccount,
  suspendOperatedAccount,
  unsuspendOperatedAccount,
];
