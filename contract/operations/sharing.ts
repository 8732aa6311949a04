import * as z from 'zod';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

const Pixels = z.number().int().positive();
const Bound = z.coerce.number().int().min(1).max(100_000).optional();

/** An oEmbed 1.0 response; the field names are those of oembed.com. */
export const Embed = z.object({
  version: z.literal('1.0'),
  type: z.enum(['photo', 'video', 'rich']),
  title: z.string(),
  provider_name: z.string(),
  provider_url: z.url(),
  /** Seconds for which the answer may be cached. */
  cache_age: z.number().int(),
  width: Pixels,
  height: Pixels,
  /** Address of the image; only with `photo`. */
  url: z.url().optional(),
  /** An `iframe`; only with `video` and `rich`. */
  html: z.string().optional(),
});
export type Embed = z.infer<typeof Embed>;

/** `GET /oembed`: how other pages embed a published address. */
export const getEmbed = operation({
  id: 'getEmbed',
  group: 'projects',
  route: 'GET /oembed',
  summary: 'oEmbed data for the address of a public project (oembed.com). JSON only.',
  auth: 'none',
  input: z.object({
    url: z.string().min(1).max(2048),
    format: z.string().max(20).default('json'),
    maxwidth: Bound,
    maxheight: Bound,
  }),
  output: Embed,
  envelope: 'bare',
  errors: ['NOT_FOUND', 'NOT_PUBLIC', 'FORMAT_NOT_OFFERED', 'RATE_LIMITED'],
  example: {
    input: { url: example.url, format: 'json', maxwidth: 640 },
    output: {
      version: '1.0',
      type: 'rich',
      title: 'Calm harbour',
      provider_name: 'Slipway',
      provider_url: 'https://app.example.com',
      cache_age: 300,
      width: 640,
      height: 600,
      html: `<iframe src="${example.url}/" width="640" height="600"></iframe>`,
    },
  },
});

/**
 * `GET /qr/{projectId}.png`, `.svg`: a project's address as a QR code. The extension is part of the
 * parameter, because API Gateway allows no text after a path parameter.
 */
export const getQrCode = operation({
  id: 'getQrCode',
  group: 'projects',
  route: 'GET /qr/{file}',
  summary:
    'Get the address of a project as a QR code. `file` is `<projectId>.png` or `<projectId>.svg`. The owner of the project needs a paid plan.',
  auth: 'none',
  input: z.object({
    file: z.string(),
    /** Pixels of each side; an SVG has no size. */
    size: z.coerce.number().int().min(128).max(2048).default(512),
  }),
  /** A PNG as bytes, an SVG as text. */
  output: z.union([z.string(), z.custom<Uint8Array>((value) => value instanceof Uint8Array)]),
  envelope: 'bare',
  mediaTypes: ['image/png', 'image/svg+xml'],
  errors: ['FREE_TIER_RESTRICTED', 'NOT_FOUND'],
  example: {
    input: { file: `${example.projectId}.png`, size: 512 },
    output: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
  },
});
