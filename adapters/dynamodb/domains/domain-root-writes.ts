import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Instant, ProjectId } from '../../../contract/fields.ts';
import type { NameRoot, RootChange } from '../../../core/domains/ports.ts';
import type { StoredDomain } from '../../../core/domains/domain.ts';
import { reservedUntil } from '../../../core/projects/addresses/address-availability.ts';
import type { Project } from '../../../core/projects/project.ts';
import { documentItems, tryConditionalWrite } from '../document-client.ts';
import { writeTransaction } from '../transaction.ts';
import { withoutNulls } from '../null-fields.ts';
import { readRoot, rootKey, type RootRow } from './domain-roots.ts';
import { changeUpdate } from './domain-updates.ts';

/**
 * Sets the project that a domain shows at its bare name, or removes it; false if the domain or the
 * root changed meanwhile. The row of a former domain of the same name is replaced, and never
 * removed. If another account has served the name before, it counts as handed over when it first
 * shows a project again.
 */
export async function setRoot(
  client: DynamoDBDocumentClient,
  tables: { projects: string; sites: string },
  domain: StoredDomain,
  { before, projectId, at }: RootChange,
): Promise<boolean> {
  const { id: domainId, name } = domain;
  const update = changeUpdate(tables.projects, domain, { rootProjectId: projectId });
  const own = before?.domainId === domainId ? before : undefined;
  const handedOverAt = domain.handedOverAt === null ? null : (own?.handedOverAt ?? at);
  const put =
    projectId === null
      ? undefined
      : putPart(tables.sites, name, { domainId, projectId, handedOverAt, heldUntil: null });
  const row =
    put !== undefined
      ? [['root', { Put: { ...put.Put, ...ifRootIs(before) } }] as const]
      : own !== undefined
        ? [['root', { Delete: { ...deletion(tables.sites, domain), ...ifRootIs(own) } }] as const]
        : [];
  const unmet = await writeTransaction(client, [['domain', { Update: update }] as const, ...row]);
  return unmet.size === 0;
}

/**
 * Removes the root of a domain that is being removed, unless the name is held for a project that
 * was taken down.
 */
export async function removeRoot(
  client: DynamoDBDocumentClient,
  sites: string,
  domain: Pick<StoredDomain, 'id' | 'name'>,
): Promise<void> {
  const { ConditionExpression, ...rest } = deletion(sites, domain);
  const unheld = `${ConditionExpression} AND attribute_not_exists(heldUntil)`;
  const command = new DeleteCommand({ ...rest, ConditionExpression: unheld });
  await tryConditionalWrite(client.send(command));
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
  const put = { ...putPart(sites, name, held).Put, ...ifRootOf(id) };
  await tryConditionalWrite(client.send(new PutCommand(put)));
}

/** The condition that the row is as it was read. */
function ifRootIs(before: NameRoot | undefined) {
  if (before === undefined)
    return {
      ConditionExpression: 'attribute_not_exists(#host)',
      ExpressionAttributeNames: { '#host': 'host' },
    };
  const { domainId, projectId, heldUntil } = before;
  const held = heldUntil === null ? 'attribute_not_exists(heldUntil)' : 'heldUntil = :heldUntil';
  return {
    ConditionExpression: `domainId = :domainId AND projectId = :projectId AND ${held}`,
    ExpressionAttributeValues: {
      ':domainId': domainId,
      ':projectId': projectId,
      ...(heldUntil !== null && { ':heldUntil': heldUntil }),
    },
  };
}

function ifRootOf(projectId: ProjectId) {
  return {
    ConditionExpression: 'projectId = :projectId',
    ExpressionAttributeValues: { ':projectId': projectId },
  };
}

function putPart(TableName: string, name: string, row: RootRow) {
  return { Put: { TableName, Item: { ...rootKey(name), ...withoutNulls(row) } } };
}

function deletion(TableName: string, { id, name }: Pick<StoredDomain, 'id' | 'name'>) {
  return {
    TableName,
    Key: rootKey(name),
    ConditionExpression: 'domainId = :id',
    ExpressionAttributeValues: { ':id': id },
  };
}
