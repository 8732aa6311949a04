import type { Auth, Operation } from '../../contract/operation.ts';
import type {
  Caller,
  KeyCaller,
  MaybeAccountCaller,
  OwnerCaller,
  SessionCaller,
} from '../../core/caller.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { hashSecretText } from '../../core/secret-text.ts';
import { setting } from '../shared/settings.ts';
import type { ApiRequest } from './api-request.ts';
import {
  authorizeKey,
  authorizeOwner,
  authorizeSession,
  isInSession,
  requirePlan,
} from './authorize.ts';
import { requireSameOrigin } from './origin-checks.ts';
import { sessionToken } from './session-cookie.ts';

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
    // Another session's response is none of this one's.
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
  // It says when the key expires; its call must not change that.
  'key-only': async (request, operation) =>
    ofAccount(await authorizeKey(request, false), operation),
  session: async (request, operation) => ofAccount(await authorizeSession(request), operation),
};

function ofAddress(caller: Caller): IdentifiedCaller<Caller> {
  return { caller, scope: callerKey(caller.address) };
}

function ofAccount<C extends OwnerCaller>(caller: C, operation: Operation): IdentifiedCaller<C> {
  requirePlan(operation, caller);
  return { caller, scope: caller.account.id };
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
