import { defaultSettings } from '../../../contract/project-settings.ts';
import { randomUUID } from 'node:crypto';
import { type AccountId, ProjectId, type Slug } from '../../../contract/fields.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { instant } from '../../instants.ts';
import type { NotPublished } from '../../ports.ts';
import type { Project, Publication } from '../project.ts';
import { noHistory } from '../history/project-history.ts';
import { servingRecord } from '../serving.ts';
import {
  beginStoring,
  type StoredVersion,
  type StoringDeps,
  storeVersion,
} from './store-version.ts';

/** A project that nobody sees yet: its bytes are stored, and an intent finds them after a crash. */
export interface FirstVersion {
  projectId: ProjectId;
  upload: PreparedUpload;
  stored: StoredVersion;
}

/** An id that no project has. */
export function newProjectId(): ProjectId {
  return ProjectId.parse(randomUUID());
}

/** Stores an upload as the first version of a new project. */
export async function storeFirstVersion(
  deps: StoringDeps,
  upload: PreparedUpload,
  startedAt: Date,
): Promise<FirstVersion> {
  const projectId = newProjectId();
  const store = await beginStoring(deps, projectId, startedAt);
  const stored = await storeVersion(deps.content, { projectId, store }, upload);
  return { projectId, upload, stored };
}

/**
 * Publishes under the first slug that is free; `undefined` when none is.
 * @param publish every outcome but a held address and a swept intent is the answer
 */
export async function goLive<P, R>(
  slugs: Iterable<Slug>,
  make: (slug: Slug) => P,
  publish: (publication: P) => Promise<R | NotPublished>,
): Promise<{ publication: P; outcome: Exclude<R, NotPublished> } | undefined> {
  for (const slug of slugs) {
    const publication = make(slug);
    const outcome = await publish(publication);
    if (isSwept(outcome)) throw new Error('storing took longer than its intent lives');
    if (isPublished(outcome)) return { publication, outcome };
  }
  return undefined;
}

function isSwept(outcome: unknown): outcome is 'intent-gone' {
  return outcome === 'intent-gone';
}

function isPublished<R>(outcome: R | NotPublished): outcome is Exclude<R, NotPublished> {
  return outcome !== 'slug-taken' && outcome !== 'slug-reserved' && outcome !== 'intent-gone';
}

/** What a new project is beside its content. */
export interface ProjectFacts
  extends Pick<Project, 'slug' | 'host' | 'title' | 'access' | 'passwordHash' | 'expiresAt'> {
  ownerId: AccountId | null;
  workspaceId?: Project['workspaceId'];
  claimHash?: string;
}

/** Everything that becomes visible with a project's first version. */
export function firstPublication(
  { projectId, upload, stored }: FirstVersion,
  facts: ProjectFacts,
  now: Date,
): Publication {
  const { files: _, ...content } = stored;
  const createdAt = instant(now);
  const version = { ...content, version: 1, createdAt };
  const project = { ...newProject(projectId, upload, facts, now), version: 1, lastVersion: 1 };
  return { project, version, site: servingRecord(project, version) };
}

/** A project whose first version is still to come. */
export function newProject(
  id: ProjectId,
  { type, bytes, fileCount }: Pick<PreparedUpload, 'type' | 'bytes' | 'fileCount'>,
  facts: ProjectFacts,
  now: Date,
): Project {
  const createdAt = instant(now);
  return {
    ...defaults,
    ...defaultSettings,
    ...facts,
    id,
    type,
    bytes,
    fileCount,
    workspaceId: facts.workspaceId ?? null,
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
