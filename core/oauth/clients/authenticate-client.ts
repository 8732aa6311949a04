import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { StoredClient } from './client.ts';
import type { ClientForm } from '../tokens/token-endpoint.ts';
import { storedClient } from './find-client.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter, requireSingle } from '../authorization/parameters.ts';
import type { OAuthDeps } from '../ports.ts';

const Assertion = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ sub: z.string() }));

/** What a client said of itself. */
interface Claim {
  id: string | undefined;
  secret: string | undefined;
}

/**
 * The client that posted a form (RFC 6749 §2.3): with its secret where it has one, in the form or as
 * Basic, whichever of the two it registered.
 * @throws OAuthError invalid_request, invalid_client
 */
export async function authenticateClient(
  deps: Pick<OAuthDeps, 'clients' | 'now'>,
  posted: ClientForm,
): Promise<StoredClient> {
  const { id, secret } = readClaim(posted);
  if (id === undefined) throw new OAuthError('invalid_client', 'Send a client_id.');
  const client = await storedClient(deps, id);
  if (client === undefined || (client.kind === 'document' && client.metadata === undefined)) {
    throw new OAuthError('invalid_client', 'This client is not known here; register it again.');
  }
  if (isProven(client, secret)) return client;
  throw new OAuthError('invalid_client', 'This is not the secret that the client was given.');
}

function readClaim({ form, authorization }: ClientForm): Claim {
  requireSingle(form, ['client_id', 'client_secret']);
  const id = parameter(form, 'client_id') ?? assertedId(parameter(form, 'client_assertion'));
  const secret = parameter(form, 'client_secret');
  const basic = basicClaim(authorization);
  if (basic?.id === undefined) return { id, secret };
  if (id !== undefined && id !== basic.id) {
    throw new OAuthError('invalid_request', 'The client_id of the form is not the one of Basic.');
  }
  if (secret !== undefined && basic.secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'Send the client secret once: in the form or as Basic.',
    );
  }
  return { id: basic.id, secret: basic.secret ?? secret };
}

/**
 * Who signs an assertion (RFC 7523 §3), for clients that send no `client_id` beside it. The signature
 * is not asked for: the client of a document is a public one, and any id is only its own claim.
 */
function assertedId(assertion: string | undefined): string | undefined {
  const [, claims = ''] = (assertion ?? '').split('.');
  const { data } = Assertion.safeParse(Buffer.from(claims, 'base64url').toString('utf8'));
  return data?.sub;
}

/** The parts of Basic are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basicClaim(authorization: string | undefined): Claim | undefined {
  const [, encoded] = /^Basic +([\w+/=-]{1,4096}) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { id: formDecoded(id), secret: formDecoded(secret.join(':')) };
}

function formDecoded(text: string): string | undefined {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') || undefined;
}

function isProven(client: StoredClient, secret: string | undefined): boolean {
  const secretHash = client.kind === 'registered' ? client.secretHash : undefined;
  if (secret === undefined || secretHash === undefined) return secret === secretHash;
  const sent = createHash('sha256').update(secret).digest();
  return timingSafeEqual(sent, Buffer.from(secretHash, 'hex'));
}
