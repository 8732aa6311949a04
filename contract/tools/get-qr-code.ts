import * as z from 'zod';
import { PathId, ProjectId } from '../fields.ts';
import { getQrCode } from '../operations/qr-code.ts';
import { looksOnly, tool } from '../tool.ts';

/** `get_qr_code`: a project's address to scan. */
export const getQrCodeTool = tool({
  name: 'get_qr_code',
  title: 'QR code of a project',
  description:
    'The address of a project as a QR code: a PNG picture to show, and the URL of an SVG for print and for other pages. Needs a paid plan or the trial. The project has to be live: see get_project when it is refused.',
  hints: looksOnly,
  scope: 'projects:read',
  operation: getQrCode,
  input: z.strictObject({ projectId: PathId }),
  output: z.object({
    projectId: ProjectId,
    url: z.url().describe('What the code says'),
    svgUrl: z.url(),
    pngUrl: z.url(),
  }),
});
