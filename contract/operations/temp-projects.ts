import { describeDuration, temporaryLifetimeSeconds } from '../limits.ts';
import * as z from 'zod';
import {
  Instant,
  hasOneUploadSource,
  uploadSourceError,
  ProjectId,
  Slug,
  uploadFields,
  Warnings,
} from '../fields.ts';
import { example, exampleFile } from '../examples.ts';
import { operation } from '../operation.ts';

/**
 * `POST /v1/projects/temp`: publishes without a key; the project is removed after
 * `temporaryLifetimeSeconds`.
 */
export const publishTempProject = operation({
  id: 'publishTempProject',
  group: 'temp-projects',
  route: 'POST /v1/projects/temp',
  summary: `Publish files or a ZIP for ${describeDuration(temporaryLifetimeSeconds)} without an account. To keep the project, open the claim link and sign in.`,
  auth: 'none',
  body: 'upload',
  input: z.object(uploadFields).refine(hasOneUploadSource, uploadSourceError),
  output: z.object({
    projectId: z.nullable(ProjectId),
    slug: Slug,
    url: z.url(),
    claimToken: z.string(),
    claimUrl: z.url(),
    expiresAt: z.nullable(Instant),
    warnings: Warnings,
  }),
  errors: ['ZIP_MULTIPLE_HTML', 'ARCHIVE_INVALID', 'NOT_FOUND', 'RATE_LIMITED'],
  example: {
    input: { files: [exampleFile] },
    output: {
      projectId: example.projectId,
      slug: example.slug,
      url: example.url,
      claimToken: example.claimToken,
      claimUrl: `https://app.example.com/claim/${example.claimToken}`,
      expiresAt: example.at,
    },
  },
});
