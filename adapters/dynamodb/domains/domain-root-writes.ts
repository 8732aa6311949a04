import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Instant, ProjectId } from '../../../contract/fields.ts';
import type { StoredDomain } from '../../../core/domains/domain.ts';
import { documentItems, tryConditionalWrite } from '../document-client.ts';
import { writeTransaction } from '../transaction.ts';
import { withoutNulls } from '../null-fields.ts';
import { readRoot, rootKey, type RootRow } from './domain-roots.ts';
import { changeUpdate } from './domain-updates.ts';

interface RootChange {
  domain: StoredDomain;
  projectId: ProjectId | null;
  at: Instant;
}

/**
 * Sets the project that a domain shows at its bare name, or removes it; false if the domain changed
 * meanwhile. The row of a former domain of the same name is replaced, and never removed. Where another
 * account has served, the bare name changes hands when it first shows something again.
 */
export async function setRoot(
  client: DynamoDBDocumentClient,
  tables: { projects: string; sites: string },
  { domain, projectId, at }: RootChange,
): Promise<boolean> {
  const { id: domainId, name } = domain;
  const update = changeUpdate(tables.projects, domain, { rootProjectId: projectId });
  const found = await readRoot(documentItems(client), tables.sites, name);
  const own = found?.domainId === domainId ? found : undefined;
  const handedOverAt = domain.handedOverAt === null ? null : (own?.handedOverAt ?? at);
  const row =
    projectId !== null
      ? [['root', putPart(tables.sites, name, { domainId, projectId, handedOverAt })] as const]
      : own !== undefined
        ? [['root', { Delete: deletion(tables.sites, domain) }] as const]
        : [];
  const unmet = await writeTransaction(client, [['domain', { Update: update }] as const, ...row]);
  return unmet.size === 0;
}

/** Removes the root of a domain that is being removed. */
export async function removeRoot(
  client: DynamoDBDocumentClient,
  sites: string,
  domain: Pick<StoredDomain, 'id' | 'name'>,
): Promise<void> {
  await tryConditionalWrite(client.send(new DeleteCommand(deletion(sites, domain))));
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
