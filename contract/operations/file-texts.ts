import * as z from 'zod';
import { PathId } from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** The most files whose text one request gets. */
export const maxReadFiles = 50;

/** Limits of the text that one request gets, in bytes of UTF-8. */
export const maxTextBytes = { file: 256 * 1024, all: 1024 * 1024 };

/** The text of a file, or why there is none. */
export const FileText = z.object({
  path: z.string(),
  text: z.string().optional(),
  problem: z.string().optional().describe('Why there is no text'),
});

/** `POST /v1/projects/{projectId}/file-texts`: reads files of a version. */
export const readFileTexts = operation({
  id: 'readFileTexts',
  group: 'versions',
  route: 'POST /v1/projects/{projectId}/file-texts',
  summary:
    'Read the text of files of the live version, or of another kept `version`, as they were uploaded: at most 256 KiB for each file and 1 MiB in all. A file without text has a `problem` instead. Changes nothing.',
  auth: 'key',
  permissions: ['projects:read'],
  body: 'json',
  input: z.object({
    projectId: PathId,
    paths: z.array(z.string().min(1).max(1024)).min(1).max(maxReadFiles),
    version: z.number().int().positive().optional(),
  }),
  output: z.object({ version: z.number().int(), files: z.array(FileText) }),
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, paths: ['index.html', 'logo.png'] },
    output: {
      version: 1,
      files: [
        { path: 'index.html', text: '<h1>Hello</h1>\n' },
        {
          path: 'logo.png',
          problem: 'is not text; its address is the `url` of the project and its path',
        },
      ],
    },
  },
});
