import * as z from 'zod';
import { example, exampleFile } from '../examples.ts';
import {
  hasOneUploadSource,
  Instant,
  PathId,
  QueuedUploadId,
  uploadFields,
  uploadSourceError,
  Warnings,
} from '../fields.ts';
import { daySeconds } from '../limits.ts';
import { operation } from '../operation.ts';
import { isPreviewName, maxPreviewName } from '../visits/preview-name.ts';
import { DeletedPaths } from './files.ts';
import { pushErrors } from './versions.ts';

const maxPreviewDays = 90;

/** The lifetime of a preview from its last push on: hours or days. */
const PreviewLife = z
  .string()
  .regex(/^[1-9]\d{0,3}[hd]$/, 'must be hours or days, such as 12h or 30d')
  .refine(
    (text) => previewLifeSeconds(text) <= maxPreviewDays * daySeconds,
    `must be at most ${maxPreviewDays}d`,
  )
  .describe(
    'Hours or days after each push, such as `12h` or `30d`: at most 90 days; 7 days by default.',
  );

/** Seconds of a lifetime such as `12h` or `30d`. */
export function previewLifeSeconds(text: string): number {
  return Number.parseInt(text, 10) * (text.endsWith('h') ? 3600 : daySeconds);
}

/** The name of a preview, which is a part of its address. */
export const PreviewName = z
  .string()
  .refine(
    isPreviewName,
    `must be up to ${maxPreviewName} lowercase letters, digits and single hyphens, and not like v3`,
  )
  .describe('A part of the address, such as `pr-42`.');

const Preview = z.object({
  name: z.string(),
  url: z.nullable(z.url()).describe('Null where the slug has become too long for it.'),
  access: z.enum(['project', 'public']),
  sizeBytes: z.number().int(),
  fileCount: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  expiresAt: Instant,
});

const examplePreview: z.input<typeof Preview> = {
  name: 'pr-42',
  url: example.url.replace('.', '--pr-42.'),
  access: 'project',
  sizeBytes: 15,
  fileCount: 1,
  createdAt: example.at,
  updatedAt: example.at,
  expiresAt: example.at,
};

/** `PUT /v1/projects/{projectId}/previews/{name}`: publishes a named preview. */
export const putPreview = operation({
  id: 'putPreview',
  group: 'versions',
  route: 'PUT /v1/projects/{projectId}/previews/{name}',
  summary:
    'Publish files as a named preview of a project, at an address of its own that stays the same at each push: `<slug>--pr-42`. The live site and its history do not change. A preview ends seven days after its last push. Search engines are told not to index it, and opens of it do not count. Who may view the project sees it, or with `access` `public` everybody. Its bytes count toward the plan. `isUnchanged`: it shows these files already.',
  auth: 'key',
  paid: true,
  body: 'upload',
  input: z
    .object({
      projectId: PathId,
      name: PreviewName,
      ...uploadFields,
      access: Preview.shape.access.optional(),
      expiresIn: PreviewLife.optional(),
      mergeInto: z.coerce
        .number()
        .int()
        .positive()
        .optional()
        .describe(
          'The `version` that GET /v1/projects/{projectId}/files?preview={name} lists. The files sent go into it, those in `delete` leave it, and the others stay. 409 `VERSION_CONFLICT` if the preview shows another one by now.',
        ),
      delete: DeletedPaths,
    })
    .refine(
      (input) => input.mergeInto !== undefined || hasOneUploadSource(input),
      uploadSourceError,
    )
    .refine((input) => input.mergeInto !== undefined || input.delete.length === 0, {
      path: ['delete'],
      error: 'goes with `mergeInto`; without it no file stays',
    }),
  output: Preview.extend({
    isUnchanged: z.boolean(),
    uploadId: QueuedUploadId,
    warnings: Warnings,
  }),
  errors: ['ZIP_MULTIPLE_HTML', 'ARCHIVE_INVALID', ...pushErrors],
  example: {
    input: { projectId: example.projectId, name: 'pr-42', files: [exampleFile] },
    output: { ...examplePreview, isUnchanged: false },
  },
});

/** `GET /v1/projects/{projectId}/previews`: the named previews, the last pushed first. */
export const listPreviews = operation({
  id: 'listPreviews',
  group: 'versions',
  route: 'GET /v1/projects/{projectId}/previews',
  summary: 'List the named previews of a project, the last pushed first.',
  auth: 'key',
  paid: true,
  input: z.object({ projectId: PathId }),
  output: z.object({ previews: z.array(Preview) }),
  errors: ['NOT_FOUND'],
  example: { input: { projectId: example.projectId }, output: { previews: [examplePreview] } },
});

/** `DELETE /v1/projects/{projectId}/previews/{name}`: ends a preview. */
export const deletePreview = operation({
  id: 'deletePreview',
  group: 'versions',
  route: 'DELETE /v1/projects/{projectId}/previews/{name}',
  summary: 'End a named preview. Its address shows nothing from then on.',
  auth: 'key',
  paid: true,
  input: z.object({ projectId: PathId, name: z.string() }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, name: 'pr-42' },
    output: { deleted: true },
  },
});
