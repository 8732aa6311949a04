import type { DomainId, Instant } from '../../../contract/fields.ts';
import type { StoredDomain } from '../../../core/domains/domain.ts';
import type { DomainChange } from '../../../core/domains/ports.ts';
import { nullsRemoved, update } from '../writes.ts';
import { domainKey } from './domain-rows.ts';

/** An update instead of a whole row, because the count of projects may change meanwhile. */
export function changeUpdate(
  TableName: string,
  { id, revision: seen }: StoredDomain,
  change: DomainChange,
) {
  const { set, remove } = nullsRemoved(change);
  return update(TableName, domainKey(id), {
    set: { ...set, revision: seen + 1 },
    remove,
    when: 'revision = :seen',
    values: { seen },
  });
}

/** The update that begins a removal. */
export function removalUpdate(
  TableName: string,
  { id, revision: seen }: StoredDomain,
  at: Instant,
) {
  return update(TableName, domainKey(id), {
    ...removal(at),
    when: 'revision = :seen AND attribute_not_exists(removingAt)',
    values: { seen },
  });
}

/** The update of a domain whose name another account has proven: its removal begins, whatever its revision is. */
export function lossUpdate(TableName: string, id: DomainId, at: Instant) {
  const when = 'attribute_exists(pk) AND attribute_not_exists(removingAt)';
  return update(TableName, domainKey(id), { ...removal(at), when });
}

function removal(at: Instant) {
  return {
    set: { removingAt: at, proven: false, dueAt: at },
    add: { revision: 1 },
    remove: ['ownerState', 'listedAt'],
  };
}
