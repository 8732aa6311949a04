import { defaultSettings, type ProjectSettings } from '../../../contract/project-settings.ts';
import { randomUUID } from 'node:crypto';
import { type AccountId, ProjectId, type PublishedBy } from '../../../contract/fields.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { instant } from '../../instants.ts';
import type { Project, Publication, Version } from '../project.ts';
import { noHistory } from '../history/project-history.ts';
import {
  beginStoring,
  withoutFiles,
  type StoringDeps,
  type StoringOptions,
  storeVersion,
} from './store-version.ts';

/** A stored first version that nobody sees yet. After a crash its intent tells the sweep what to remove. */
export interface FirstVersion {
  projectId: ProjectId;
  upload: Pick<PreparedUpload, 'type' | 'bytes' | 'fileCount'>;
  stored: ReturnType<typeof withoutFiles>;
}

/** An id that no project has. */
export function newProjectId(): ProjectId {
  return ProjectId.parse(randomUUID());
}

/**
 * Options: the project's id for a call that may be repeated, settings that affect its files, and
 * the account's counter.
 */
type FirstVersionOptions = Pick<StoringOptions, 'spa' | 'written'> & {
  projectId?: ProjectId | undefined;
};

/** Stores an upload as the first version of a new project. */
export async function storeFirstVersion(
  deps: StoringDeps,
  upload: PreparedUpload,
  startedAt: Date,
  { projectId = newProjectId(), ...settings }: FirstVersionOptions = {},
): Promise<FirstVersion> {
  const store = await beginStoring(deps, projectId, startedAt);
  const stored = await storeVersion(deps.content, { projectId, store }, upload, settings);
  return { projectId, upload, stored: withoutFiles(stored) };
}

/** The fields of a new project that do not depend on its content. */
export interface ProjectDetails
  extends Pick<Project, 'slug' | 'host' | 'title' | 'access' | 'passwordHash' | 'expiresAt'>,
    Partial<
      ProjectSettings &
        Pick<Project, 'status' | 'workspaceId' | 'domainId' | 'notify' | 'peopleStamp'>
    > {
  ownerId: AccountId | null;
  claimHash?: string;
}

/** When a first version is published, and with which credential. */
export interface FirstPublishing {
  now: Date;
  publishedBy: PublishedBy;
  note?: Version['note'];
}

/** A new project with its stored first version, as they are after publishing. */
export function publishedProject(
  { projectId, upload, stored }: FirstVersion,
  details: ProjectDetails,
  { now, publishedBy, note }: FirstPublishing,
): Pick<Publication, 'project' | 'version'> {
  const createdAt = instant(now);
  const version = { ...stored, version: 1, createdAt, publishedBy, note };
  const project = { ...newProject(projectId, upload, details, now), version: 1, lastVersion: 1 };
  return { project, version };
}

/** A project without a version yet. */
export function newProject(
  id: ProjectId,
  { type, bytes, fileCount }: FirstVersion['upload'],
  details: ProjectDetails,
  now: Date,
): Project {
  const createdAt = instant(now);
  return {
    ...defaults,
    ...defaultSettings,
    ...details,
    id,
    type,
    bytes,
    fileCount,
    workspaceId: details.workspaceId ?? null,
    domainId: details.domainId ?? null,
    createdAt,
    updatedAt: createdAt,
    publishedAt: createdAt,
  };
}

const defaults = {
  status: 'public',
  version: 0,
  lastVersion: 0,
  revision: 0,
  ownerRevision: 0,
  domainId: null,
  archivedAt: null,
  restingUntil: null,
  takedown: null,
  suspendedAt: null,
  removingAt: null,
  failure: null,
  addressHistory: null,
  history: noHistory,
} as const;
