import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { CodedError } from '../../errors.ts';
import type { StoredKey } from './api-key.ts';

/**
 * Refuses a key without the permissions that the operation needs.
 * @throws CodedError FORBIDDEN
 */
export function requirePermissions(
  { permissions }: Pick<StoredKey, 'permissions'>,
  needed: readonly OAuthScope[],
): void {
  const missing = needed.filter((permission) => !permissions.includes(permission));
  if (missing.length === 0) return;
  throw new CodedError('FORBIDDEN', {
    error: `This needs the permission ${listed(missing)}; the key has ${listed(permissions)}.`,
    nextStep: `Use a key with ${listed(missing)}. The owner of the account creates keys in the browser.`,
  });
}

function listed(permissions: readonly OAuthScope[]): string {
  return permissions.map((permission) => `\`${permission}\``).join(', ');
}
