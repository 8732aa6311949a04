import { getUser, requestCode, getSession, verifyCode } from './operations/accounts.ts';
import type { Operation } from './operation.ts';
import { exportAccount } from './operations/export.ts';
import {
  claimProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
} from './operations/projects.ts';
import { archiveProject, unarchiveProject, updateProject } from './operations/project-settings.ts';
import { health, root } from './operations/system.ts';
import { publishTemp } from './operations/temp-projects.ts';
import { diffVersion, listDeployments, replaceFiles, rollBack } from './operations/versions.ts';

/** Every operation of the public interface, in the order the documentation lists them. */
export const operations: readonly Operation[] = [
  health,
  root,
  requestCode,
  verifyCode,
  getSession,
  getUser,
  exportAccount,
  listProjects,
  createProject,
  publishTemp,
  claimProject,
  getProject,
  replaceFiles,
  updateProject,
  deleteProject,
  archiveProject,
  unarchiveProject,
  listDeployments,
  rollBack,
  diffVersion,
];
