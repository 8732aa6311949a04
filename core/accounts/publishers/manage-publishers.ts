import type * as z from 'zod';
import type * as contract from '../../../contract/operations/trusted-publishers.ts';
import { randomUUID } from 'node:crypto';
import { KeyId } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant, newestFirst } from '../../instants.ts';
import type { ProjectStore } from '../../ports.ts';
import { requireOwnedProject } from '../../projects/owned-projects.ts';
import { endOwnerAccess, type EndOwnerAccessDeps } from '../../projects/settings/owner-access.ts';
import type { PublisherStore, TrustedPublisher } from './trusted-publisher.ts';

const maxPublishers = 20;

/** The dependencies for managing trusted publishers. */
export interface PublisherDeps {
  publishers: Pick<PublisherStore, 'list' | 'putWithin' | 'remove'>;
  projects: Pick<ProjectStore, 'get'>;
  now(): Date;
}

/** What an owner trusts: exactly one of a branch, an environment and pull requests. */
type NewPublisher = z.output<typeof contract.addTrustedPublisher.input>;

/** The account's trusted publishers, newest first. */
export async function listTrustedPublishers(
  { publishers }: Pick<PublisherDeps, 'publishers'>,
  { account }: AccountCaller,
): Promise<{ publishers: TrustedPublisher[] }> {
  const all = await publishers.list(account.id);
  return { publishers: all.toSorted(newestFirst) };
}

/**
 * Trusts jobs of a repository.
 * @throws CodedError KEY_LIMIT_REACHED, NOT_FOUND for a project that is not the caller's
 */
export async function addTrustedPublisher(
  deps: PublisherDeps,
  caller: AccountCaller,
  { provider, repository, branch, environment, pullRequests, ...access }: NewPublisher,
): Promise<TrustedPublisher> {
  const { permissions = ['projects:read', 'projects:write'], projectIds = null } = access;
  for (const id of projectIds ?? []) await requireOwnedProject(deps.projects, caller, id);
  const publisher: TrustedPublisher = {
    id: KeyId.parse(randomUUID()),
    accountId: caller.account.id,
    provider,
    repository,
    branch: branch ?? null,
    environment: environment ?? null,
    pullRequests: pullRequests === true,
    permissions,
    projectIds,
    repositoryId: null,
    createdAt: instant(deps.now()),
    lastUsedAt: null,
  };
  if (await deps.publishers.putWithin(maxPublishers, publisher)) return publisher;
  throw new CodedError('KEY_LIMIT_REACHED', {
    error: `An account can have at most ${maxPublishers} trusted publishers. Delete one first.`,
    nextStep:
      'Delete one that you no longer need with DELETE /v1/trusted-publishers/{publisherId}.',
  });
}

/**
 * Trusts a publisher no more. The next request with one of its keys is refused; owner links made with
 * them stop working. Repeating the call finishes an interrupted deletion.
 * @throws CodedError NOT_FOUND
 */
export async function deleteTrustedPublisher(
  deps: Pick<PublisherDeps, 'publishers'> & EndOwnerAccessDeps,
  { account }: AccountCaller,
  { publisherId }: { publisherId: string },
): Promise<{ deleted: boolean }> {
  const { data: id } = KeyId.safeParse(publisherId);
  const isRemoved = id !== undefined && (await deps.publishers.remove(account.id, id));
  if (id !== undefined) await endOwnerAccess(deps, account.id, id);
  if (isRemoved) return { deleted: true };
  throw new CodedError('NOT_FOUND', {
    error: 'No trusted publisher of your account has this id.',
  });
}
