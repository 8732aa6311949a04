import * as z from 'zod';
import { Instant, ProjectId, RuleWarning, SettingWarning } from '../fields.ts';

/** What a tool tells of a version that it published: enough to notice that something was cut off. */
export const Published = z.object({
  projectId: ProjectId,
  url: z.url(),
  version: z.int(),
  files: z.int().describe('Files of this version'),
  bytes: z.int().describe('Bytes of this version'),
  sha256: z
    .string()
    .describe(
      'Of what this call received: one file: of its bytes; a ZIP: of the ZIP; several files: of the lines "<sha256>  <path>\\n" sorted by path',
    ),
  expiresAt: Instant.nullable(),
  warnings: z
    .array(z.union([RuleWarning, SettingWarning]))
    .describe('Lines of _redirects and _headers that were left out; a password that is too short'),
});
export type Published = z.infer<typeof Published>;
