import { createHash } from 'node:crypto';
import { daySeconds } from '../../../contract/limits.ts';
import { oauthScopes } from '../../../contract/oauth/oauth.ts';
import { commandClientId, oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { notifyOfSignIn, type SignInNoticeDeps } from '../../accounts/sign-in/sign-in-notice.ts';
import type { AccountCaller, Caller } from '../../caller.ts';
import { hasExpired, instant, plusSeconds } from '../../instants.ts';
import { countByAddress } from '../../limits/address-limits.ts';
import { countAttempt } from '../../limits/counters.ts';
import { hashSecretText } from '../../secret-text.ts';
import {
  knownScopes,
  parameter,
  requireOurResource,
  requireSingle,
} from '../authorization/request-parameters.ts';
import { authenticateClient } from '../clients/authenticate-client.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OAuthDeps } from '../ports.ts';
import type { ClientForm } from '../tokens/token-endpoint.ts';
import { newSecret, secretHash } from '../tokens/tokens.ts';
import type { DeviceAuthorization, DeviceDecision } from './waiting-device.ts';

/** A person needs time to sign in by mail; a code that was phished must not wait for long. */
const deviceSeconds = 600;
/** Seconds between two polls (RFC 8628 §3.5). */
const pollSeconds = 5;

const beginLimit = { limit: 30, windowSeconds: 600 };
const lookupLimit = { limit: 30, windowSeconds: 600 };
/** Of an account: each makes a key, which is there for 90 days, and a mail. */
const allowLimit = { limit: 30, windowSeconds: daySeconds };

/** Without vowels and digits: no code is a word, and no two characters look alike (RFC 8628 §6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

/** The response of the device authorization endpoint (RFC 8628 §3.2). */
export interface DeviceResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

type BeginDeps = Pick<
  OAuthDeps,
  'clients' | 'counters' | 'devices' | 'keyPrefix' | 'baseUrl' | 'now'
>;

/**
 * Begins the authorization of a program without a browser (RFC 8628 §3.1).
 * @throws OAuthError invalid_request, invalid_client, unauthorized_client, invalid_target
 * @throws CodedError RATE_LIMITED
 */
export async function beginDeviceAuthorization(
  deps: BeginDeps,
  caller: Caller,
  posted: ClientForm,
): Promise<DeviceResponse> {
  const now = deps.now();
  const begun = { name: 'device-codes', rule: beginLimit, what: 'sign-ins of programs' };
  await countByAddress(deps.counters, caller, begun, now);
  await requireCommand(deps, posted);
  const { form } = posted;
  requireSingle(form, ['scope']);
  requireOurResource(deps.baseUrl, form);
  const deviceCode = newSecret(deps.keyPrefix, 'device');
  const userCode = userCodeOf(deviceCode);
  const begin = {
    userCode,
    deviceHash: hashSecretText(deviceCode),
    scopes: [...(knownScopes(parameter(form, 'scope')) ?? oauthScopes)],
    address: caller.address,
    country: caller.agent?.country ?? '',
    createdAt: instant(now),
    expiresAt: instant(plusSeconds(now, deviceSeconds)),
    intervalSeconds: pollSeconds,
  };
  if (!(await deps.devices.begin(begin))) {
    throw new OAuthError('invalid_request', 'The code is in use. Send the same request again.');
  }
  const page = `${deps.baseUrl}${oauthPaths.device}`;
  const shown = spellUserCode(userCode);
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: deviceSeconds,
    interval: pollSeconds,
  };
}

/**
 * Only the command of this installation gets keys in this way; apps have the authorization endpoint.
 * @throws OAuthError invalid_client, unauthorized_client
 */
export async function requireCommand(
  deps: Pick<OAuthDeps, 'clients' | 'now'>,
  posted: ClientForm,
): Promise<void> {
  if (parameter(posted.form, 'client_id') === commandClientId) return;
  await authenticateClient(deps, posted);
  throw new OAuthError(
    'unauthorized_client',
    `Only the command line (client_id=${commandClientId}) may use device codes.`,
  );
}

/** The waiting program of a device code; undefined for an unknown code. */
export async function findByDeviceCode(
  { devices, keyPrefix }: Pick<OAuthDeps, 'devices' | 'keyPrefix'>,
  deviceCode: string,
): Promise<DeviceAuthorization | undefined> {
  const deviceHash = secretHash(keyPrefix, 'device', deviceCode);
  if (deviceHash === undefined) return undefined;
  const found = await devices.find(userCodeOf(deviceCode));
  return found?.deviceHash === deviceHash ? found : undefined;
}

/**
 * The program that waits with this code for a decision; undefined for a wrong, decided or expired one. Each look-up
 * counts, so that nobody finds a code by trying.
 * @throws CodedError RATE_LIMITED
 */
export async function findWaitingDevice(
  { counters, devices, now }: Pick<OAuthDeps, 'counters' | 'devices' | 'now'>,
  caller: Caller,
  typed: string,
): Promise<DeviceAuthorization | undefined> {
  const lookups = { name: 'device-lookups', rule: lookupLimit, what: 'codes of programs' };
  await countByAddress(counters, caller, lookups, now());
  const userCode = normaliseUserCode(typed);
  const found = userCode.length === codeLength ? await devices.find(userCode) : undefined;
  const isWaiting =
    found !== undefined && found.decision === undefined && !hasExpired(found, now());
  return isWaiting ? found : undefined;
}

/**
 * Stores what a person decided about a waiting program, and mails them if they allowed it.
 * @returns false if it was decided before
 * @throws CodedError RATE_LIMITED
 */
export async function decideDevice(
  deps: Pick<OAuthDeps, 'devices' | 'counters'> & SignInNoticeDeps,
  person: AccountCaller & Pick<DeviceDecision, 'sessionHash'>,
  { userCode, address, country }: DeviceAuthorization,
  decision: DeviceDecision['decision'],
): Promise<boolean> {
  const { account, sessionHash } = person;
  const isAllowed = decision === 'allowed';
  if (isAllowed) {
    const allowed = {
      key: `device-keys#${account.id}`,
      rule: allowLimit,
      what: 'programs allowed',
    };
    await countAttempt(deps.counters, person, allowed, deps.now());
  }
  const decided = { decision, accountId: account.id, sessionHash };
  const isFirst = await deps.devices.decide(userCode, decided);
  if (isFirst && isAllowed) {
    const agent = { userAgent: '', country, browserToken: undefined };
    const caller = { address, requestId: '', agent };
    await notifyOfSignIn(deps, account, { granted: 'key', caller, beganAt: deps.now() });
  }
  return isFirst;
}

/** A code as people read it: `WDJB-MJHT`. */
export function spellUserCode(userCode: string): string {
  return `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
}

/** Letters only, in upper case: people type codes with and without the hyphen. */
function normaliseUserCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
}

/**
 * The short code of a device code, 34 bits of its hash: so one row is found by either, and the short one does not
 * tell the long one.
 */
function userCodeOf(deviceCode: string): string {
  const hash = createHash('sha256').update(`user code\n${deviceCode}`).digest('hex');
  let left = BigInt(`0x${hash}`);
  let code = '';
  while (code.length < codeLength) {
    code += alphabet[Number(left % 20n)] ?? '';
    left /= 20n;
  }
  return code;
}
