import * as z from 'zod/mini';

// The gate imports this module. With `zod` instead of `zod/mini` its cold import would take a fifth
// longer (decision 0124).

/** Ids are branded: using a project id where another id is expected does not compile. */
export const ProjectId = z.uuid().brand<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;

/** An account's id. */
export const AccountId = z.uuid().brand<'AccountId'>();
export type AccountId = z.infer<typeof AccountId>;

/** A custom domain's id. */
export const DomainId = z.uuid().brand<'DomainId'>();
export type DomainId = z.infer<typeof DomainId>;

/** An ISO 8601 instant in UTC with milliseconds; sorts as text. */
export const Instant = z.iso.datetime({ precision: 3 });
export type Instant = z.infer<typeof Instant>;

/** The type of a project's content, detected at upload. */
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

/**
 * Who may view a published project: everybody, who knows the password, the owner, the people of a list who prove
 * their address, or whoever proves an address.
 */
export const Access = z.enum(['public', 'password', 'private', 'people', 'identify']);
export type Access = z.infer<typeof Access>;

/**
 * Whether the home page answers addresses without a file, as a single-page application needs:
 * always, never, or only if it is the only HTML page.
 */
export const Spa = z.union([z.boolean(), z.literal('auto')]);
export type Spa = z.infer<typeof Spa>;

/** Bytes of any source: a Buffer, a part of a body, an attribute of an item. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be bytes');
