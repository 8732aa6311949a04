import type { ProjectResource } from './project-resource.ts';
import { defaultSettings } from './project-settings.ts';
import type * as z from 'zod';
import type { ExportPage } from './account-export.ts';
import type { UploadedFile } from './fields.ts';

/** Invented values that the examples of operations share. */
export const example = {
  projectId: '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11',
  uploadId: '5f60c399-0b7e-4c1a-8d0e-2f1a6f0c9a12',
  workspaceId: '2f1a6f0c-9a11-4c39-9d0e-0b7e4c1a5f60',
  domainId: '4d0e8c39-2f1a-4c39-9d0e-9a115f600b7e',
  connectionId: '9a112f1a-6f0c-4e1c-8c39-0b7e5f604c1a',
  sessionId: '2f1a6f0c-7b0e-4d0e-8c39-9a115f600b7e',
  keyId: '6f0c9a11-2f1a-4d0e-9c39-5f600b7e4c1a',
  uploadLinkId: '019a2f1a-6f0c-7d0e-8c39-0b7e4c1a5f60',
  slug: 'calm-harbour',
  url: 'https://calm-harbour.sites.example.net',
  email: 'you@example.org',
  apiKey: 'sw_live_Q2uJ8cXv1n0ZkL5tYb7RfW3gHd9sMpA6eTiCoUxVqNj4aB7kP',
  attemptToken: 'Yb2Hn5Lw9PmJ4x8Zq1Vt0c3Rk7Wd6Sf8AmJ4x8Zq1V0',
  uploadToken: 'Wd6Sf8AmJ4x8Zq1Vt0c3Rk7Yb2Hn5Lw9PmJ4x8Zq1Vt',
  claimToken: 'mJ4x8Zq1Vt0c3Rk7Yb2Hn5Lw9Pd6Sf8A',
  at: '2026-11-21T09:00:00.000Z',
  later: '2026-11-28T09:00:00.000Z',
} as const;

/** The text of {@link exampleFile}. */
export const exampleFileText = '<h1>Hello</h1>\n';

/** A small page as an uploaded part. */
export const exampleFile: z.input<typeof UploadedFile> = {
  name: 'index.html',
  contentType: 'text/html',
  bytes: Uint8Array.from(exampleFileText, (letter) => letter.charCodeAt(0)),
};

/** A project as its owner sees it. */
export const exampleProject: z.input<typeof ProjectResource> = {
  id: example.projectId,
  title: 'Calm harbour',
  slug: example.slug,
  type: 'html',
  url: example.url,
  status: 'public',
  access: 'public',
  domainId: null,
  workspaceId: null,
  ...defaultSettings,
  expiresAt: null,
  archivedAt: null,
  createdAt: example.at,
  updatedAt: example.at,
};

/** Usage and limits on the plan `pro`. */
export const exampleQuota = {
  projects: { used: 1, limit: 25, unlimited: false },
  storage: { usedBytes: 15, limitBytes: 5_368_709_120, unlimited: false },
};

/** A workspace that holds one project. */
export const exampleWorkspace = {
  id: example.workspaceId,
  name: 'Clients',
  projectCount: 1,
  createdAt: example.at,
  updatedAt: example.at,
};

/** A project with one version of one file, as an export contains it. */
export const exampleExportedProject: z.input<typeof ExportPage>['projects'][number] = {
  id: example.projectId,
  title: 'Calm harbour',
  slug: example.slug,
  type: 'html',
  status: 'public',
  access: 'public',
  passwordHash: null,
  domainId: null,
  workspaceId: null,
  ...defaultSettings,
  createdAt: example.at,
  updatedAt: example.at,
  publishedAt: example.at,
  expiresAt: null,
  archivedAt: null,
  takedown: null,
  liveVersion: 1,
  lastVersion: 1,
  counts: {},
  versions: [
    {
      version: 1,
      type: 'html',
      home: 'index.html',
      bytes: 15,
      fileCount: 1,
      createdAt: example.at,
      publishedBy: { kind: 'key', id: example.keyId, name: 'CI' },
      filesHash: '5b89779c6570f0e1fea1df8727fe7e2814fdf2c26c6a254850ddd6b5791e0d3e',
      filesFrom: 0,
      files: [
        {
          path: 'index.html',
          size: 15,
          hash: 'MgokAE9kmpi2VTXn',
          url: 'https://content-bucket.s3.us-east-1.amazonaws.com/content/0b7e4c1a?X-Amz-Signature=5f600b7e',
        },
      ],
    },
  ],
};
