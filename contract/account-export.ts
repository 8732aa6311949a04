import * as z from 'zod';
import {
  Access,
  EmailAddress,
  Instant,
  ProjectId,
  ProjectType,
  Slug,
  Tier,
  WorkspaceId,
  PublishedBy,
} from './fields.ts';
import { shownPeople } from './people.ts';
import { ProjectResource } from './project-resource.ts';
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

/** A version without its files. */
const VersionMetadata = z.object({
  version: z.number().int().positive(),
  type: ProjectType,
  /** Path of the home page of a static site; null for a bundle. */
  home: z.string().nullable(),
  bytes: count,
  fileCount: z.number().int().positive(),
  createdAt: Instant,
  publishedBy: PublishedBy,
  note: z.string().max(1000).optional(),
  /** Hexadecimal SHA-256 over the lines `["path",size,"hash"]`, sorted by path, each with its line feed. */
  filesHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type VersionMetadata = z.infer<typeof VersionMetadata>;

/** A project without its versions. */
export const ProjectMetadata = z.object({
  id: ProjectId,
  title: z.string().max(1000),
  slug: Slug,
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** Hash of the visitor password (scrypt), so that the password still works after an import. */
  passwordHash: z
    .string()
    // As `hashPassword` writes it: another cost would fail, or take seconds, at each try of a visitor.
    .regex(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    .nullable(),
  /** The list of people; absent where the project has none. */
  ...shownPeople,
  domainId: z.uuid().nullable(),
  workspaceId: WorkspaceId.nullable(),
  ...ProjectSettings.shape,
  notify: ProjectResource.shape.notify,
  createdAt: Instant,
  updatedAt: Instant,
  publishedAt: Instant,
  expiresAt: z.nullable(Instant),
  archivedAt: z.nullable(Instant),
  takedown: z.object({ reason: z.string().max(10_000), at: Instant }).nullable(),
  liveVersion: z.number().int().positive(),
  /** The highest version number ever used. */
  lastVersion: z.number().int().positive(),
  counts: z.record(z.string(), count),
});
export type ProjectMetadata = z.infer<typeof ProjectMetadata>;

/** A workspace, without its count of projects. */
const ExportedWorkspace = z.object({
  id: WorkspaceId,
  name: z.string().max(1000),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ExportedWorkspace = z.infer<typeof ExportedWorkspace>;

const exportHeader = {
  formatVersion: z.literal(1),
  exportedAt: Instant,
  account: z.object({
    email: EmailAddress,
    tier: Tier,
    trialEndsAt: z.nullable(Instant),
    createdAt: Instant,
    projectCount: count,
    storageBytes: count,
  }),
  workspaces: z.array(ExportedWorkspace),
};

/** A version on one page: its files from index `filesFrom` on, as many as fit on the page. */
const ExportPageVersion = VersionMetadata.extend({
  filesFrom: count,
  files: z.array(
    ExportedFile.extend({
      /** The URL to download the file; absent for an empty file. */
      url: z.url().optional(),
    }),
  ),
});
export type ExportPageVersion = z.infer<typeof ExportPageVersion>;

const ExportPageProject = ProjectMetadata.extend({ versions: z.array(ExportPageVersion) });
export type ExportPageProject = z.infer<typeof ExportPageProject>;

/** One page of an account's export. Parts of the same version on several pages have the same project id and version. */
export const ExportPage = z.object({
  ...exportHeader,
  projects: z.array(ExportPageProject),
  /** The `cursor` of the next page; null on the last one. */
  next: z.string().nullable(),
});
export type ExportPage = z.infer<typeof ExportPage>;

/** A version with all of its files, sorted by path. */
const VersionExport = VersionMetadata.extend({ files: z.array(ExportedFile) });
export type VersionExport = z.infer<typeof VersionExport>;

/** A project with every kept version, the oldest first. */
export const ProjectExport = ProjectMetadata.extend({ versions: z.array(VersionExport).min(1) });
export type ProjectExport = z.infer<typeof ProjectExport>;

/** A whole export, as `export.json` holds it. */
export const AccountExport = z.object({ ...exportHeader, projects: z.array(ProjectExport) });
export type AccountExport = z.infer<typeof AccountExport>;
