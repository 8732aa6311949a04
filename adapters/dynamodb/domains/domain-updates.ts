import type { DomainId, Instant } from '../../../contract/fields.ts';
import type { StoredDomain } from '../../../core/domains/domain.ts';
import type { DomainChange } from '../../../core/domains/ports.ts';
import { domainKey } from './domain-rows.ts';

/** An update instead of a whole row, because the count of projects may change meanwhile. */
export function changeUpdate(
  TableName: string,
  { id, revision }: StoredDomain,
  change: DomainChange,
  extra = '',
) {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const set = entries.filter(([, value]) => value !== null);
  const removed = entries.filter(([, value]) => value === null).map(([name]) => `#${name}`);
  const assignments = ['#revision = :next', ...set.map(([name]) => `#${name} = :${name}`)];
  return {
    TableName,
    Key: domainKey(id),
    UpdateExpression: [
      `SET ${assignments.join(', ')}`,
      ...(removed.length === 0 && extra === ''
        ? []
        : [`REMOVE ${[...removed, extra].filter(Boolean).join(', ')}`]),
    ].join(' '),
    ConditionExpression: '#revision = :revision',
    ExpressionAttributeNames: {
      '#revision': 'revision',
      ...Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ':revision': revision,
      ':next': revision + 1,
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

/** The update that begins a removal. */
export function removalUpdate(TableName: string, domain: StoredDomain, at: Instant) {
  const change = { removingAt: at, proven: false, dueAt: at };
  const update = changeUpdate(TableName, domain, change, 'ownerState, listedAt');
  return {
    ...update,
    ConditionExpression: `${update.ConditionExpression} AND attribute_not_exists(removingAt)`,
  };
}

/** The update of a domain whose name another account has proven: its removal begins, whatever its revision is. */
export function lossUpdate(TableName: string, id: DomainId, at: Instant) {
  return {
    TableName,
    Key: domainKey(id),
    UpdateExpression:
      'SET removingAt = :at, dueAt = :at, proven = :no ADD revision :one REMOVE ownerState, listedAt',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(removingAt)',
    ExpressionAttributeValues: { ':at': at, ':no': false, ':one': 1 },
  };
}
