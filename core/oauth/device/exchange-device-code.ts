import { hashKey, newApiKey, newSignInKey } from '../../accounts/keys/api-key.ts';
import { hasExpired, instant } from '../../instants.ts';
import { parameter, requireSingle } from '../authorization/request-parameters.ts';
import type { Caller } from '../../caller.ts';
import { countTokenRequest } from '../tokens/exchange-token.ts';
import type { OAuthDeps } from '../ports.ts';
import { OAuthError } from '../oauth-error.ts';
import {
  type ClientForm,
  type ExchangeDeps,
  type KeyResponse,
  requireActiveHolder,
  requireOpenSession,
} from '../tokens/token-endpoint.ts';
import { findByDeviceCode, requireCommand } from './device-authorization.ts';
import type { DeviceAuthorization } from './waiting-device.ts';

/** RFC 8628 §3.5: a program that polls too fast waits this much longer from then on. */
const slowerSeconds = 5;

/**
 * Exchanges a device code for an API key, once (RFC 8628 §3.4). The key ends after 90 days without use, as the one of
 * a sign-in by mail, and its owner ends it on the page of keys.
 * @throws OAuthError invalid_request, invalid_client, unauthorized_client, invalid_grant, authorization_pending,
 * slow_down, access_denied, expired_token
 * @throws CodedError RATE_LIMITED
 */
export async function exchangeDeviceCode(
  deps: ExchangeDeps & Pick<OAuthDeps, 'devices' | 'keys'>,
  caller: Caller,
  posted: ClientForm,
): Promise<KeyResponse> {
  await countTokenRequest(deps, caller);
  requireSingle(posted.form, ['grant_type', 'client_id', 'device_code']);
  await requireCommand(deps, posted);
  const deviceCode = parameter(posted.form, 'device_code');
  if (deviceCode === undefined) throw new OAuthError('invalid_request', 'Send a device_code.');
  const device = await findByDeviceCode(deps, deviceCode);
  if (device === undefined) throw new OAuthError('invalid_grant', 'This code is unknown.');
  const now = deps.now();
  const { userCode, scopes } = device;
  const accountId = requireAllowed(device, now) ? device.accountId : undefined;
  if (accountId === undefined) throw await pollError(deps, device, now);
  await requireActiveHolder(deps, accountId);
  await requireOpenSession(deps, { ...device, accountId });
  if (!(await deps.devices.redeem(userCode, instant(now)))) throw usedBefore();
  const key = newApiKey(deps.keyPrefix);
  const stored = {
    ...newSignInKey(accountId, key, now),
    name: 'Command line',
    permissions: scopes,
  };
  await deps.keys.put(hashKey(key), stored);
  return { access_token: key, token_type: 'Bearer', scope: scopes.join(' ') };
}

/** Whether the person allowed it; false while they have not decided. @throws OAuthError */
function requireAllowed(device: DeviceAuthorization, now: Date): boolean {
  if (device.usedAt !== undefined) throw usedBefore();
  if (device.decision === 'denied') {
    throw new OAuthError('access_denied', 'The user denied the request.');
  }
  if (hasExpired(device, now)) {
    throw new OAuthError('expired_token', 'The code has expired. Begin again.');
  }
  return device.decision === 'allowed';
}

async function pollError(
  { devices }: Pick<OAuthDeps, 'devices'>,
  { userCode, polledAt, intervalSeconds }: DeviceAuthorization,
  now: Date,
): Promise<OAuthError> {
  const sinceMs = polledAt === undefined ? Infinity : now.getTime() - Date.parse(polledAt);
  // A second of tolerance: requests arrive closer together than they were sent.
  const isTooFast = sinceMs < (intervalSeconds - 1) * 1000;
  const interval = isTooFast ? intervalSeconds + slowerSeconds : intervalSeconds;
  await devices.notePoll(userCode, { polledAt: instant(now), intervalSeconds: interval });
  return isTooFast
    ? new OAuthError('slow_down', `Wait ${interval} seconds between two requests.`)
    : new OAuthError('authorization_pending', 'The user has not decided yet.');
}

/** Who ended their sessions and looked at the list of keys has no key that comes afterwards. */
function usedBefore(): OAuthError {
  return new OAuthError('invalid_grant', 'This code was used before. Begin again.');
}
