import * as z from 'zod';

/** Ids are branded: a project id in the place of another id does not compile. */
export const ProjectId = z.uuid().brand<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;

/** A URL slug: lowercase letters, digits and hyphens, as a DNS label (RFC 1035: at most 63 octets). */
export const Slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
  .brand<'Slug'>();
export type Slug = z.infer<typeof Slug>;

/** An ISO 8601 instant in UTC with milliseconds; sorts as text. */
export const Instant = z.iso.datetime({ precision: 3 });
export type Instant = z.infer<typeof Instant>;

/** What a project holds, as detected at upload. */
export const ProjectType = z.enum([
  'html',
  'zip',
  'pdf',
  'image',
  'files',
  'presentation',
  'audio',
  'video',
  'code',
  'document',
  'markdown',
  'yaml',
  'sql',
  'python',
  'model3d',
]);
export type ProjectType = z.infer<typeof ProjectType>;

/** Who may view a published project. */
export const Access = z.enum(['public', 'password', 'private']);
export type Access = z.infer<typeof Access>;

/** Bytes, from wherever: a Buffer, a part of a body, an attribute of an item. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be bytes');

/** One uploaded part: the name as the client sent it (it may hold folders), and its bytes. */
export const UploadedFile = z.object({
  name: z.string(),
  contentType: z.string(),
  bytes: Bytes,
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/** A boolean as form fields carry it: `true`, `false`, `1`, `0`, `on`, or empty for false. */
export const FormBoolean = z
  .enum(['true', 'false', '1', '0', 'on', ''])
  .transform((text) => text === 'true' || text === '1' || text === 'on');
