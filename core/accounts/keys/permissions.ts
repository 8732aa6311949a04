import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { MaybeAccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { projectNotFound } from '../../projects/owned-projects.ts';
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

/**
 * Refuses what a key for some projects alone may not do: to name another project, and what is not about
 * one project.
 * @throws CodedError NOT_FOUND, FORBIDDEN
 */
export function requireKeyProject(
  { limitedKeys }: Pick<Operation, 'limitedKeys'>,
  { projectIds }: MaybeAccountCaller,
  input: object,
): void {
  if (projectIds === undefined || limitedKeys === true) return;
  const named = 'projectId' in input ? input.projectId : undefined;
  if (named !== undefined && limitedKeys !== false) {
    if (projectIds.some((id) => id === named)) return;
    throw projectNotFound();
  }
  throw new CodedError('FORBIDDEN', {
    error: 'This key may use its own projects alone. This is not about one of them.',
    nextStep:
      'Name one of its projects, which the list of projects shows, or use a key for all projects. The owner of the account creates keys in the browser.',
  });
}

/**
 * Refuses to move a project to what belongs to the whole account, a domain or a workspace, if the caller may use some
 * projects alone.
 * @throws CodedError FORBIDDEN
 */
export function requireKeyForMove(
  { projectIds }: MaybeAccountCaller,
  before: { domainId: string | null; workspaceId: string | null },
  {
    domainId,
    workspaceId,
  }: { domainId?: string | null | undefined; workspaceId?: string | null | undefined },
): void {
  const isSame =
    (domainId === undefined || domainId === before.domainId) &&
    (workspaceId === undefined || workspaceId === before.workspaceId);
  if (projectIds === undefined || isSame) return;
  throw new CodedError('FORBIDDEN', {
    error:
      'This key may use some projects alone. It may not move one to another domain or workspace.',
    nextStep:
      'Leave out `domainId` and `workspaceId`, or use a key for all projects. The owner of the account creates keys in the browser.',
  });
}

function listed(permissions: readonly OAuthScope[]): string {
  return permissions.map((permission) => `\`${permission}\``).join(', ');
}
