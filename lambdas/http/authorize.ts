import { type Auth, neededPermissions, type Operation } from '../../contract/operation.ts';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { authenticateKey, noteKeyUse } from '../../core/accounts/keys/authenticate.ts';
import { publishedByKey, publishedBySession } from '../../core/accounts/keys/live-credential.ts';
import { requirePermissions } from '../../core/accounts/keys/permissions.ts';
import {
  type AccountCaller,
  type Caller,
  idempotencyScope,
  type KeyCaller,
  type MaybeAccountCaller,
  type OwnerCaller,
  type SessionCaller,
} from '../../core/caller.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { hashSecretText } from '../../core/secret-text.ts';
import { countAnswer, freeAnswerBytes } from '../../core/limits/answered-bytes.ts';
import { countRequest } from '../../core/limits/counters.ts';
import { type ApiRequest, isRead } from './api-request.ts';
import { CodedError } from '../../core/errors.ts';
import { requirePaid } from '../../core/accounts/account.ts';
import { authenticateSession, noteSessionUse } from '../../core/accounts/sessions/session.ts';
import { lazy } from '../shared/lazy.ts';
import { requireSameOrigin } from './origin-checks.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { sessionToken } from './session-cookie.ts';
import { setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  const table = setting('ACCOUNTS_TABLE');
  return {
    accounts: accountRepository(client, table),
    keys: keyTable(client, table),
    sessions: sessionTable(client, table),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    plans: deployedPlans(),
    keyPrefix: setting('KEY_PREFIX'),
    now: () => new Date(),
  };
});

/**
 * The caller with the account of the API key in the Authorization header. Counts the request; with
 * `renews`, also records the use of the key, which extends its expiry.
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED, RATE_LIMITED
 */
async function authorizeKey(request: ApiRequest, renews: boolean): Promise<KeyCaller> {
  const authenticateAgain = () => authenticateKey(services(), request.headers['authorization']);
  const who = await authenticateAgain();
  const { account, key, keyHash } = who;
  const credential = { kind: 'key', keyHash } as const;
  const publishedBy = publishedByKey(key);
  const projectIds = key.projectIds ?? undefined;
  const known = { account, key, credential, publishedBy, projectIds, authenticateAgain };
  const caller = { ...request.caller, ...known };
  await countRequest(services(), caller);
  if (renews) await noteKeyUse(services(), who);
  return caller;
}

/**
 * The caller of an operation that an API key or a browser session may call. If a key is sent, it
 * identifies the caller and must have the operation's permissions. A session has all permissions.
 * @throws CodedError as {@link authorizeKey} and {@link authorizeSession}; FORBIDDEN
 */
async function authorizeOwner(
  request: ApiRequest,
  operation: Pick<Operation, 'method' | 'permissions'>,
): Promise<OwnerCaller> {
  if (isInSession(request)) return authorizeSession(request);
  const caller = await authorizeKey(request, true);
  requirePermissions(caller.key, neededPermissions(operation));
  return caller;
}

/** Whether a request has the session cookie of a browser, and no key. */
function isInSession({ headers }: ApiRequest): boolean {
  return headers['authorization'] === undefined && sessionToken(headers['cookie']) !== undefined;
}

/**
 * Refuses an operation that the caller's plan does not include.
 * @throws CodedError FREE_TIER_RESTRICTED
 */
export function requirePlan({ paid }: Pick<Operation, 'paid'>, { account }: AccountCaller): void {
  if (paid) requirePaid(account, services().now());
}

/**
 * Counts the bytes of a response before it is sent.
 * @throws CodedError RATE_LIMITED
 */
export async function limitAnswer(caller: MaybeAccountCaller, bytes: number): Promise<void> {
  // Only responses to accounts are counted: functions without sign-in have no access to the
  // counters.
  if (caller.account !== undefined && bytes > freeAnswerBytes)
    await countAnswer(services(), caller, bytes);
}

/**
 * The caller with the account of this browser's session. A write must come from one of our own
 * pages. Records the use of the session.
 * @throws CodedError SESSION_MISSING, ORIGIN_REFUSED
 */
async function authorizeSession(request: ApiRequest): Promise<SessionCaller> {
  const token = sessionToken(request.headers['cookie']);
  if (token === undefined && request.headers['authorization'] !== undefined) {
    throw new CodedError('SESSION_MISSING', {
      error: 'This operation needs a browser session; an API key is not accepted.',
    });
  }
  const authenticateAgain = () => authenticateSession(services(), token);
  const found = await authenticateAgain();
  if (!isRead(request)) requireSameOrigin(request, setting('BASE_URL'));
  const { account } = found;
  await countRequest(services(), { ...request.caller, account });
  const credential = { kind: 'session', tokenHash: found.tokenHash } as const;
  const session = await noteSessionUse(services(), found);
  const publishedBy = publishedBySession(session);
  return { ...request.caller, account, session, credential, publishedBy, authenticateAgain };
}

/** A caller who may have a session: the token as it was sent, not verified. */
interface BrowserCaller extends Caller {
  token: string | undefined;
}

/** Who calls an operation, by its `auth`. */
export interface CallerOf {
  none: Caller;
  page: BrowserCaller;
  optional: MaybeAccountCaller;
  key: OwnerCaller;
  'key-only': KeyCaller;
  session: SessionCaller;
}

/** The caller, and the scope in which their Idempotency-Keys are unique. */
interface IdentifiedCaller<C> {
  caller: C;
  scope: string;
}

type Identify<A extends Auth> = (
  request: ApiRequest,
  operation: Operation,
) => Promise<IdentifiedCaller<CallerOf[A]>>;

const identifiers: { [A in Auth]: Identify<A> } = {
  none: async ({ caller }) => ofAddress(caller),
  page: async (request) => {
    requireSameOrigin(request, setting('BASE_URL'));
    const token = sessionToken(request.headers['cookie']);
    // One session must not get the stored response of another.
    const session = token === undefined ? 'none' : hashSecretText(token);
    const { address } = request.caller;
    return { caller: { ...request.caller, token }, scope: `${callerKey(address)} ${session}` };
  },
  optional: async (request, operation) => {
    const isAnonymous = request.headers['authorization'] === undefined && !isInSession(request);
    if (isAnonymous) return ofAddress(request.caller);
    return ofAccount(await authorizeOwner(request, operation), operation);
  },
  key: async (request, operation) => ofAccount(await authorizeOwner(request, operation), operation),
  // Without renewal: the operation tells when the key expires, so the call must not change that.
  'key-only': async (request, operation) =>
    ofAccount(await authorizeKey(request, false), operation),
  session: async (request, operation) => ofAccount(await authorizeSession(request), operation),
};

function ofAddress(caller: Caller): IdentifiedCaller<Caller> {
  return { caller, scope: callerKey(caller.address) };
}

function ofAccount<C extends OwnerCaller>(caller: C, operation: Operation): IdentifiedCaller<C> {
  requirePlan(operation, caller);
  return { caller, scope: idempotencyScope(caller) };
}

/**
 * Finds out who calls an operation, and whether their plan includes it. Runs before the body is read.
 * @throws CodedError those of authorizeKey, authorizeOwner and authorizeSession; ORIGIN_REFUSED,
 * FREE_TIER_RESTRICTED
 */
export function identifyCaller<A extends Auth>(
  operation: Operation & { auth: A },
  request: ApiRequest,
): Promise<IdentifiedCaller<CallerOf[A]>> {
  const identify: Identify<A> = identifiers[operation.auth];
  return identify(request, operation);
}
