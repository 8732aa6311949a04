import * as z from 'zod';
import { ExportPage } from '../account-export.ts';
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
  errors: ['INVALID_REQUEST'],
});
