import * as z from 'zod';
import { Access, Instant, ProjectId, ProjectType, Slug, Tier, WorkspaceId } from './fields.ts';
import { ProjectSettings } from './project-settings.ts';

const count = z.number().int().nonnegative();

/** One file of an exported version. */
export const ExportedFile = z.object({
  path: z.string(),
  size: count,
  /** The first 96 bits of the content's SHA-256, as base64url. */
  hash: z.string().regex(/^[A-Za-z0-9_-]{16}$/),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

/** A version but for its files. */
const VersionFacts = z.object({
  version: z.number().int().positive(),
  type: ProjectType,
  /** Path of the home page of a static site; null for a bundle. */
  home: z.string().nullable(),
  bytes: count,
  fileCount: z.number().int().positive(),
  createdAt: Instant,
  /** Hexadecimal SHA-256 over the lines `["path",size,"hash"]`, sorted by path, each with its line feed. */
  filesHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type VersionFacts = z.infer<typeof VersionFacts>;

/** A project but for its versions. */
export const ProjectFacts = z.object({
  id: ProjectId,
  title: z.string(),
  slug: Slug,
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** What visitors' passwords are compared with: salted and slow, for another deployment to go on with. */
  passwordHash: z
    .string()
    // A cost that no deployment ever chose would keep one busy for minutes.
    .regex(/^scrypt\$\d{1,5}\$\d\$\d\$[\w-]+\$[\w-]+$/)
    .nullable(),
  domainId: z.uuid().nullable(),
  workspaceId: WorkspaceId.nullable(),
  ...ProjectSettings.shape,
  createdAt: Instant,
  updatedAt: Instant,
  publishedAt: Instant,
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  takedown: z.object({ reason: z.string(), at: Instant }).nullable(),
  liveVersion: z.number().int().positive(),
  /** The highest number that a version ever got. */
  lastVersion: z.number().int().positive(),
  counts: z.record(z.string(), count),
});
export type ProjectFacts = z.infer<typeof ProjectFacts>;

/** A workspace, without its count of projects. */
const ExportedWorkspace = z.object({
  id: WorkspaceId,
  name: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ExportedWorkspace = z.infer<typeof ExportedWorkspace>;

const exportFacts = {
  formatVersion: z.literal(1),
  exportedAt: Instant,
  account: z.object({
    email: z.string(),
    tier: Tier,
    trialEndsAt: Instant.nullable(),
    createdAt: Instant,
    projectCount: count,
    storageBytes: count,
  }),
  workspaces: z.array(ExportedWorkspace),
};

/** A version on one page: its files from `filesFrom` on, as many as the page has room for. */
const PagedVersion = VersionFacts.extend({
  filesFrom: count,
  files: z.array(ExportedFile.extend({ url: z.url() })),
});
export type PagedVersion = z.infer<typeof PagedVersion>;

const PagedProject = ProjectFacts.extend({ versions: z.array(PagedVersion) });
export type PagedProject = z.infer<typeof PagedProject>;

/** One page of an account's export; what it splits is put together by project id and version. */
export const ExportPage = z.object({
  ...exportFacts,
  projects: z.array(PagedProject),
  /** The `cursor` of the next page; null on the last one. */
  next: z.string().nullable(),
});
export type ExportPage = z.infer<typeof ExportPage>;

/** A version with all of its files, sorted by path. */
const ArchivedVersion = VersionFacts.extend({ files: z.array(ExportedFile) });
export type ArchivedVersion = z.infer<typeof ArchivedVersion>;

/** A project with every kept version, the oldest first. */
export const ArchivedProject = ProjectFacts.extend({
  versions: z.array(ArchivedVersion).min(1),
});
export type ArchivedProject = z.infer<typeof ArchivedProject>;

/** A whole export, as `export.json` holds it. */
export const AccountArchive = z.object({ ...exportFacts, projects: z.array(ArchivedProject) });
export type AccountArchive = z.infer<typeof AccountArchive>;
