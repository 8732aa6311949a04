import * as z from 'zod';
import { ExportPage } from '../account-export.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** `GET /v1/account/export`: all that the account has, in pages. */
export const exportAccount = operation({
  id: 'exportAccount',
  group: 'export',
  method: 'GET',
  path: '/v1/account/export',
  summary:
    'Everything of your account, in pages: projects, settings, kept versions, and a link to each file that works for an hour.',
  auth: 'key',
  paid: false,
  body: 'none',
  input: z.object({
    cursor: z.string().max(1024).optional(),
    /** Files on one page; a page ends earlier where the answer would become too large. */
    limit: z.coerce.number().int().min(1).max(2000).default(2000),
  }),
  output: ExportPage,
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: { limit: 2000 },
    output: {
      formatVersion: 1,
      exportedAt: example.at,
      account: {
        email: example.email,
        tier: 'free',
        trialEndsAt: example.later,
        createdAt: example.at,
        projectCount: 0,
        storageBytes: 0,
      },
      workspaces: [],
      projects: [],
      next: null,
    },
  },
});
