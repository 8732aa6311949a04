import { randomUUID } from 'node:crypto';
import { type AccountId, ProjectId, type Slug } from '../../contract/fields.ts';
import type { PreparedUpload } from '../content/prepare-upload.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { ContentStore, NotPublished, ProjectStore } from '../ports.ts';
import type { Project, Publication } from './project.ts';
import { type StoredVersion, storeVersion } from './store-version.ts';

/** After this no function can still be storing an upload. */
const storingSeconds = 15 * 60;

/** What storing a first version needs. */
export interface StoringDeps {
  projects: Pick<ProjectStore, 'begin'>;
  content: ContentStore;
}

/** A project that nobody sees yet: its bytes are stored, and an intent finds them after a crash. */
export interface FirstVersion {
  projectId: ProjectId;
  upload: PreparedUpload;
  stored: StoredVersion;
}

/** Stores an upload as version 1 of a new project. */
export async function storeFirstVersion(
  deps: StoringDeps,
  upload: PreparedUpload,
  startedAt: Date,
): Promise<FirstVersion> {
  const projectId = ProjectId.parse(randomUUID());
  await deps.projects.begin({
    projectId,
    version: 1,
    startedAt: instant(startedAt),
    sweepAt: instant(plusSeconds(startedAt, storingSeconds)),
  });
  return { projectId, upload, stored: await storeVersion(deps.content, projectId, 1, upload) };
}

/**
 * Publishes under the first slug that is free; `undefined` when none is.
 * @param publish every outcome but a held address and a swept intent is the answer
 */
export async function goLive<R>(
  slugs: Iterable<Slug>,
  make: (slug: Slug) => Publication,
  publish: (publication: Publication) => Promise<R | NotPublished>,
): Promise<{ publication: Publication; outcome: Exclude<R, NotPublished> } | undefined> {
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
  return outcome !== 'slug-taken' && outcome !== 'intent-gone';
}

/** What a new project is beside its content. */
export interface ProjectFacts
  extends Pick<Project, 'slug' | 'host' | 'title' | 'access' | 'passwordHash' | 'expiresAt'> {
  ownerId: AccountId | null;
  claimHash?: string;
}

/** Everything that becomes visible with a project's first version. */
export function firstPublication(
  { projectId, upload, stored }: FirstVersion,
  facts: ProjectFacts,
  now: Date,
): Publication {
  const { title, access, expiresAt, host } = facts;
  const { type, home, bytes } = upload;
  const fileCount = upload.files.length;
  const createdAt = instant(now);
  const temporary = facts.ownerId === null;
  const shared = { title, type, status: 'public', access, expiresAt, archivedAt: null } as const;
  return {
    project: {
      ...defaults,
      ...facts,
      ...shared,
      id: projectId,
      version: 1,
      bytes,
      fileCount,
      createdAt,
      updatedAt: createdAt,
    },
    version: { version: 1, type, home, bytes, fileCount, createdAt, ...stored },
    site: {
      ...shared,
      ...stored,
      host,
      projectId,
      version: 1,
      temporary,
      noIndex: temporary,
      home,
      publishedAt: createdAt,
    },
  };
}

const defaults = {
  domainId: null,
  workspaceId: null,
  noIndex: false,
  disableDownloads: false,
  pageTitle: null,
  metaDescription: null,
  analyticsEnabled: true,
  removingAt: null,
} as const;
