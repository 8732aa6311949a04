import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Instant } from '../../../contract/fields.ts';
import type { NameRoot, RootChange } from '../../../core/domains/ports.ts';
import type { StoredDomain } from '../../../core/domains/domain.ts';
import { reservedUntil } from '../../../core/projects/addresses/address-availability.ts';
import type { Project } from '../../../core/projects/project.ts';
import { documentItems } from '../document-client.ts';
import { writeTransaction } from '../transaction.ts';
import { withoutNulls } from '../null-fields.ts';
import { type Condition, put, remove, write } from '../writes.ts';
import { readRoot, rootKey, type RootRow } from './domain-roots.ts';
import { changeUpdate } from './domain-updates.ts';

/**
 * Sets the project that a domain shows at its bare name, or removes it; false if the domain or the
 * root changed meanwhile. The row of a former domain of the same name is replaced, and never
 * removed. If another account used the name before, `handedOverAt` is the time at which the bare name first shows a
 * project again.
 */
export async function setRoot(
  client: DynamoDBDocumentClient,
  tables: { projects: string; sites: string },
  domain: StoredDomain,
  { before, projectId, at }: RootChange,
): Promise<boolean> {
  const { id: domainId, name } = domain;
  const { projects, sites } = tables;
  const own = before?.domainId === domainId ? before : undefined;
  const handedOverAt = domain.handedOverAt === null ? null : (own?.handedOverAt ?? at);
  const shown = { domainId, handedOverAt, heldUntil: null };
  const row =
    projectId !== null
      ? [putRoot(sites, name, { ...shown, projectId }, ifRootIs(before))]
      : own !== undefined
        ? [remove(sites, rootKey(name), ifRootIs(own))]
        : [];
  const unmet = await writeTransaction(client, [
    ['domain', changeUpdate(projects, domain, { rootProjectId: projectId })] as const,
    ...row.map((part) => ['root', part] as const),
  ]);
  return unmet.size === 0;
}

/**
 * Removes the root of a domain that is being removed, unless the name is held for a project that
 * was taken down.
 */
export async function removeRoot(
  client: DynamoDBDocumentClient,
  sites: string,
  { id, name }: Pick<StoredDomain, 'id' | 'name'>,
): Promise<void> {
  const isUnheld = {
    when: 'domainId = :id AND attribute_not_exists(heldUntil)',
    values: { id },
  };
  await write(client, remove(sites, rootKey(name), isUnheld));
}

/**
 * Holds the bare name for a project that an operator took down, for as long as its address, before
 * the project leaves its domain. So no other project can appear there after the project or the
 * domain was deleted.
 */
export async function holdShutRoot(
  client: DynamoDBDocumentClient,
  sites: string,
  { id, host, slug, domainId, takedown }: Project,
  at: Instant,
): Promise<void> {
  if (takedown === null || domainId === null) return;
  const name = host.slice(slug.length + 1);
  const root = await readRoot(documentItems(client), sites, name);
  if (root?.projectId !== id) return;
  const held = { ...root, heldUntil: reservedUntil(new Date(at)) };
  const isOwn = { when: 'projectId = :id', values: { id } };
  await write(client, putRoot(sites, name, held, isOwn));
}

function ifRootIs(before: NameRoot | undefined): Condition {
  if (before === undefined) return { when: 'attribute_not_exists(#host)' };
  const { domainId, projectId, heldUntil } = before;
  const held = heldUntil === null ? 'attribute_not_exists(heldUntil)' : 'heldUntil = :heldUntil';
  return {
    when: `domainId = :domainId AND projectId = :projectId AND ${held}`,
    values: { domainId, projectId, heldUntil: heldUntil ?? undefined },
  };
}

function putRoot(TableName: string, name: string, row: RootRow, condition: Condition) {
  return put(TableName, { ...rootKey(name), ...withoutNulls(row) }, condition);
}
