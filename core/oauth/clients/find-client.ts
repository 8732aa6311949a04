import type { Caller } from '../../caller.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { callerKey } from '../../limits/caller-key.ts';
import { countAttempt } from '../../limits/counters.ts';
import { documentUrl, readClientDocument } from './client-document.ts';
import {
  type ClientMetadata,
  type DocumentClient,
  type StoredClient,
  unusedDocumentSeconds,
} from './client.ts';
import { isOver } from '../grant.ts';
import type { OAuthDeps } from '../ports.ts';

const documentSeconds = 3600;
/** For so long a document that could not be read is not asked for again. */
const failureSeconds = 60;
const maxFailureCharacters = 200;

/** Reading a document makes this service call a host of a stranger's choice. */
const readings = { limit: 60, windowSeconds: 3600 };

/** What finding a client needs. */
export type FindClientDeps = Pick<OAuthDeps, 'clients' | 'counters' | 'documents' | 'now'>;

/** A client that asks for access. */
export interface FoundClient extends ClientMetadata {
  id: string;
  /** Of its document. */
  host: string | null;
}

/** The client of an id as it was sent, or why there is none, as a person is told it. */
export async function findClient(
  deps: FindClientDeps,
  caller: Caller,
  clientId: string,
): Promise<FoundClient | { problem: string }> {
  const now = deps.now();
  const url = documentUrl(clientId);
  if (url === undefined) {
    const client = await storedClient(deps, clientId);
    return client?.kind === 'registered' ? { ...client, host: null } : { problem: unknown };
  }
  const known = await storedClient(deps, clientId);
  const fresh =
    known?.kind === 'document' && Date.parse(known.freshUntil) > now.getTime()
      ? known
      : await readAgain(deps, caller, url);
  const { metadata, failure } = fresh;
  return metadata === undefined || failure !== undefined
    ? { problem: `The app's own description at ${clientId} cannot be used: ${failure}.` }
    : { ...metadata, id: clientId, host: url.host };
}

/** A client that may use its tokens: registered, or with a document that was read before. */
export async function storedClient(
  { clients, now }: Pick<OAuthDeps, 'clients' | 'now'>,
  clientId: string,
): Promise<StoredClient | undefined> {
  const canBe = /^[0-9a-f-]{36}$/.test(clientId) || documentUrl(clientId) !== undefined;
  const client = canBe ? await clients.find(clientId) : undefined;
  return client === undefined || isOver(client, now()) ? undefined : client;
}

async function readAgain(deps: FindClientDeps, caller: Caller, url: URL): Promise<DocumentClient> {
  const now = deps.now();
  const key = `oauth-documents#${callerKey(caller.address)}`;
  const what = 'descriptions of apps read for one address';
  await countAttempt(deps.counters, caller, { key, rule: readings, what }, now);
  const read = await readDocument(deps, url);
  const freshSeconds = 'failure' in read ? failureSeconds : documentSeconds;
  const document: DocumentClient = {
    kind: 'document',
    id: url.href,
    ...read,
    freshUntil: instant(plusSeconds(now, freshSeconds)),
    expiresAt: instant(plusSeconds(now, unusedDocumentSeconds)),
  };
  await deps.clients.keepDocument(document);
  return document;
}

async function readDocument({ documents }: FindClientDeps, url: URL) {
  try {
    return { metadata: readClientDocument(url.href, await documents.fetch(url)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { failure: reason.slice(0, maxFailureCharacters) };
  }
}

const unknown =
  'The app is not registered here, or was not used for 90 days. Take the connection out of the app and add it again.';
