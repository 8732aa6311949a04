import { isIP } from 'node:net';
import { isLoopback } from '../../contract/oauth/loopback.ts';
import { invalidField } from '../errors.ts';

/** Node looks up no name for an IP address, so the check of the lookup would not see it. */
export function requireAddress(
  { allowsLoopback }: { allowsLoopback: boolean },
  url: string,
  code: 'INVALID_REQUEST' | 'VALIDATION_FAILED',
): void {
  if (isAllowedAddress(new URL(url), allowsLoopback)) return;
  throw invalidField(
    'url',
    'must begin with https:// and have a host with a name, without a password',
    { code },
  );
}

/** Whether deliveries may be sent to an address; whether its host is public shows when it is looked up. Pure. */
export function isAllowedAddress(url: URL, allowsLoopback: boolean): boolean {
  const { protocol, hostname, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (allowsLoopback && protocol === 'http:' && isLoopback(hostname)) return true;
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0;
}
