import * as z from 'zod';
import { example } from '../examples.ts';
import { Bytes } from '../fields.ts';
import { operation } from '../operation.ts';

/**
 * `GET /qr/{projectId}.png`, `.svg`: a project's address as a QR code. The extension is part of the
 * parameter, because API Gateway allows no text after a path parameter.
 */
export const getQrCode = operation({
  id: 'getQrCode',
  group: 'projects',
  method: 'GET',
  path: '/qr/{file}',
  summary:
    'Get a QR code’s address. `file` is `<projectId>.png` or `<projectId>.svg`. The owner of the project needs a paid plan.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({
    file: z.string(),
    /** Pixels of each side; an SVG has no size. */
    size: z.coerce.number().int().min(128).max(2048).default(512),
  }),
  output: Bytes,
  envelope: 'bare',
  status: 200,
  mediaTypes: ['image/png', 'image/svg+xml'],
  errors: ['FREE_TIER_RESTRICTED', 'NOT_FOUND'],
  example: {
    input: { file: `${example.projectId}.png`, size: 512 },
    output: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
  },
});
