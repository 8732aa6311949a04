import * as z from 'zod';
import { ExportPage } from '../account-export.ts';
import { example, exampleExportedProject } from '../examples.ts';
import { operation } from '../operation.ts';

/** `GET /v1/account/export`: the whole account, in pages. */
export const exportAccount = operation({
  id: 'exportAccount',
  group: 'export',
  method: 'GET',
  path: '/v1/account/export',
  summary:
    'Export the whole account in pages: projects, settings, kept versions, and a link to each file. The links work for one hour.',
  auth: 'key',
  permissions: ['account:read', 'projects:read'],
  paid: false,
  body: 'none',
  input: z.object({
    cursor: z.string().max(1024).optional(),
    /** Maximum number of files on a page; a page has fewer if the answer would become too large. */
    limit: z.coerce.number().int().min(1).max(2000).default(2000),
  }),
  output: ExportPage,
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: { limit: 500 },
    output: {
      formatVersion: 1,
      exportedAt: example.later,
      account: {
        email: example.email,
        tier: 'pro',
        trialEndsAt: null,
        createdAt: example.at,
        projectCount: 1,
        storageBytes: 15,
      },
      workspaces: [],
      projects: [exampleExportedProject],
      next: null,
    },
  },
});
