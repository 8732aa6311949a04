import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { ClientAuthMethod } from '../../../contract/oauth/oauth.ts';

/** Unused registrations go; longer than a refresh token lasts, so that no living one loses its client. */
export const clientSeconds = 90 * 86_400;
/** The end of a registration moves when that is so much later, so that not every use is a write. */
export const clientRenewalSeconds = 86_400;
/** A document that nobody was connected with yet. */
export const unusedDocumentSeconds = 86_400;

/** What a client says of itself, as far as it counts. */
export const ClientMetadata = z.object({ name: z.string(), redirectUris: z.array(z.string()) });
export type ClientMetadata = z.infer<typeof ClientMetadata>;

/** A client that registered itself (RFC 7591). */
export const RegisteredClient = ClientMetadata.extend({
  kind: z.literal('registered'),
  id: z.string(),
  authMethod: ClientAuthMethod,
  /** Of a client that asked for a secret. */
  secretHash: z.string().optional(),
  createdAt: Instant,
  expiresAt: Instant,
});
export type RegisteredClient = z.infer<typeof RegisteredClient>;

/** What is known of a client whose id is the address of its own metadata. */
export const DocumentClient = z.object({
  kind: z.literal('document'),
  id: z.string(),
  /** Of the last document that could be read. */
  metadata: ClientMetadata.optional(),
  /** Why the last try to read it failed. */
  failure: z.string().optional(),
  /** When it is to be read again. */
  freshUntil: Instant,
  expiresAt: Instant,
});
export type DocumentClient = z.infer<typeof DocumentClient>;

/** A client as it is stored. */
export const StoredClient = z.discriminatedUnion('kind', [RegisteredClient, DocumentClient]);
export type StoredClient = z.infer<typeof StoredClient>;
