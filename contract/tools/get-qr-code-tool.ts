import * as z from 'zod';
import { PathId, ProjectId } from '../fields.ts';
import { getQrCode } from '../operations/sharing.ts';
import { readOnlyHints, tool } from '../tool.ts';

/** `get_qr_code`: a project's address as a QR code. */
export const getQrCodeTool = tool({
  name: 'get_qr_code',
  title: 'Get a QR code',
  description:
    'Get the address of a project, `url`, as a QR code: a PNG image to show, and the URL of an SVG for print. Needs a paid plan or the trial. The project must be live.',
  hints: readOnlyHints,
  scope: 'projects:read',
  icon: { file: 'qr', path: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v6h-4M14 20h.1' },
  operation: getQrCode,
  input: z.strictObject({ projectId: PathId }),
  output: z.object({
    projectId: ProjectId,
    url: z.url(),
    svgUrl: z.url(),
    pngUrl: z.url(),
  }),
});
