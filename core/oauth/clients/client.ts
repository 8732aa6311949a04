import { daySeconds } from '../../../contract/limits.ts';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { ClientAuthMethod } from '../../../contract/oauth/oauth.ts';

/** Lifetime of a registration after its last token; longer than that of a refresh token, so that no valid token loses its client. */
export const clientSeconds = 90 * daySeconds;
/** Lifetime of a registration that was never connected: anybody can register apps, and some connect days later. */
export const unconnectedClientSeconds = 7 * daySeconds;
/** A registration is extended only if it gains at least this time, so that not every use is a write. */
export const clientRenewalSeconds = daySeconds;
/** Lifetime of a document whose client was never connected. */
export const unusedDocumentSeconds = daySeconds;

/** The metadata of a client that this service uses. */
export const ClientMetadata = z.object({ name: z.string(), redirectUris: z.array(z.string()) });
export type ClientMetadata = z.infer<typeof ClientMetadata>;

/** A client that registered itself (RFC 7591). */
export const RegisteredClient = ClientMetadata.extend({
  kind: z.literal('registered'),
  id: z.string(),
  authMethod: ClientAuthMethod,
  /** Only for a client with a secret. */
  secretHash: z.string().optional(),
  createdAt: Instant,
  expiresAt: Instant,
});
export type RegisteredClient = z.infer<typeof RegisteredClient>;

/** A client whose id is the address of its metadata document. */
export const DocumentClient = z.object({
  kind: z.literal('document'),
  id: z.string(),
  /** From the last document that could be read. */
  metadata: ClientMetadata.optional(),
  /** Why the last attempt to read it failed. */
  failure: z.string().optional(),
  /** When it must be fetched again. */
  freshUntil: Instant,
  expiresAt: Instant,
});
export type DocumentClient = z.infer<typeof DocumentClient>;

/** The stored form of a client. */
export const StoredClient = z.discriminatedUnion('kind', [RegisteredClient, DocumentClient]);
export type StoredClient = z.infer<typeof StoredClient>;

const maxCharacters = 100;

const unnamed = 'Unnamed app';

/**
 * A client's name, safe to show to people: one line, without characters that make text look like other
 * text (control, bidirectional and invisible characters) or cover other lines (many combining marks).
 */
export function clientName(sent: unknown): string {
  if (typeof sent !== 'string') return unnamed;
  // Long texts are cut first, to limit the work for input from strangers.
  const visible = sent
    .slice(0, 8 * maxCharacters)
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim();
  const name = Array.from(visible).slice(0, maxCharacters).join('').trim();
  return name === '' ? unnamed : name;
}
