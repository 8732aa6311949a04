import { getUser, requestCode, getSession, verifyCode } from './operations/accounts.ts';
import type { Operation } from './operation.ts';
import {
  claimProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
} from './operations/projects.ts';
import { getQrCode } from './operations/qr-code.ts';
import { health, llms, openApi, root } from './operations/system.ts';
import { publishTemp } from './operations/temp-projects.ts';

/** Every operation of the public interface, in the order the documentation lists them. */
export const operations: readonly Operation[] = [
  health,
  root,
  openApi,
  llms,
  requestCode,
  verifyCode,
  getSession,
  getUser,
  listProjects,
  createProject,
  publishTemp,
  claimProject,
  getProject,
  deleteProject,
  getQrCode,
];
