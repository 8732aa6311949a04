import { parseJson } from '../../json.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { StoredClient } from './client.ts';
import type { ClientForm } from '../tokens/token-endpoint.ts';
import { storedClient } from './find-client.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter, requireSingle } from '../authorization/request-parameters.ts';
import type { OAuthDeps } from '../ports.ts';

const Assertion = z
  .string()
  .transform(parseJson)
  .pipe(z.object({ sub: z.string() }));

interface ClientCredentials {
  id: string | undefined;
  secret: string | undefined;
}

/**
 * Identifies the client that posted a form (RFC 6749 §2.3). A client with a secret sends it in the form or
 * with Basic authentication; both are accepted.
 * @throws OAuthError invalid_request, invalid_client
 */
export async function authenticateClient(
  deps: Pick<OAuthDeps, 'clients' | 'now'>,
  posted: ClientForm,
): Promise<StoredClient> {
  const { id, secret } = readCredentials(posted);
  if (id === undefined) throw new OAuthError('invalid_client', 'Send a client_id.');
  const client = await storedClient(deps, id);
  if (client === undefined || (client.kind === 'document' && client.metadata === undefined)) {
    throw new OAuthError(
      'invalid_client',
      'This client is not registered, or its registration has expired. Register it again.',
    );
  }
  if (hasValidSecret(client, secret)) return client;
  throw new OAuthError('invalid_client', 'The client secret is wrong.');
}

function readCredentials({ form, authorization }: ClientForm): ClientCredentials {
  requireSingle(form, ['client_id', 'client_secret']);
  const id =
    parameter(form, 'client_id') ?? clientIdOfAssertion(parameter(form, 'client_assertion'));
  const secret = parameter(form, 'client_secret');
  const basic = readBasicCredentials(authorization);
  if (basic?.id === undefined) return { id, secret };
  if (id !== undefined && id !== basic.id) {
    throw new OAuthError(
      'invalid_request',
      'The client_id in the form differs from the one in the Authorization header.',
    );
  }
  if (secret !== undefined && basic.secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'Send the client secret once: in the form or in the Authorization header.',
    );
  }
  return { id: basic.id, secret: basic.secret ?? secret };
}

/**
 * The client id in an assertion (RFC 7523 §3), for clients that send no `client_id` with it. The signature
 * is not checked: clients with a metadata document are public clients, so the id is an unproven claim anyway.
 */
function clientIdOfAssertion(assertion: string | undefined): string | undefined {
  const [, claims = ''] = (assertion ?? '').split('.');
  const { data } = Assertion.safeParse(Buffer.from(claims, 'base64url').toString('utf8'));
  return data?.sub;
}

/** Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasicCredentials(authorization: string | undefined): ClientCredentials | undefined {
  const [, encoded] = /^Basic +([\w+/=-]{1,4096}) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { id: formDecoded(id), secret: formDecoded(secret.join(':')) };
}

function formDecoded(text: string): string | undefined {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') || undefined;
}

function hasValidSecret(client: StoredClient, secret: string | undefined): boolean {
  const secretHash = client.kind === 'registered' ? client.secretHash : undefined;
  if (secret === undefined || secretHash === undefined) return secret === secretHash;
  const sent = createHash('sha256').update(secret).digest();
  return timingSafeEqual(sent, Buffer.from(secretHash, 'hex'));
}
