import { DomainId } from '../../../contract/fields.ts';
import type { Project } from '../../../core/projects/project.ts';
import { update } from '../writes.ts';
import { domainKey } from './domain-rows.ts';

type Membership = Pick<Project, 'ownerId' | 'domainId' | 'removingAt' | 'host'>;

/**
 * The parts of a transaction that update the project counts of a project's former and new domain. A
 * project joins only a domain of its owner that takes projects now, and gets another address only
 * beneath one that its owner still has.
 */
export function domainMoveParts(
  TableName: string,
  before: Membership | undefined,
  after: Membership,
) {
  const was = before === undefined ? undefined : countedDomain(before);
  const is = countedDomain(after);
  if (was?.domainId === is?.domainId) {
    const isMoving = is !== undefined && before?.host !== after.host;
    return isMoving ? [['domain', stayPart(TableName, is)] as const] : [];
  }
  return [
    ...(was === undefined ? [] : [['left-domain', leavePart(TableName, was)] as const]),
    ...(is === undefined ? [] : [['domain', joinPart(TableName, is)] as const]),
  ];
}

function countedDomain({ ownerId, domainId, removingAt }: Membership) {
  if (ownerId === null || domainId === null || removingAt !== null) return undefined;
  return { ownerId, domainId: DomainId.parse(domainId) };
}

type Counted = NonNullable<ReturnType<typeof countedDomain>>;

function joinPart(TableName: string, { ownerId, domainId }: Counted) {
  return update(TableName, domainKey(domainId), {
    add: { projectCount: 1 },
    when: 'accountId = :accountId AND attribute_not_exists(removingAt) AND #status IN (:active, :served)',
    values: { accountId: ownerId, active: 'active', served: 'ssl_active' },
  });
}

/** Only a condition: fails if the domain is being removed. */
function stayPart(TableName: string, { ownerId, domainId }: Counted) {
  return update(TableName, domainKey(domainId), {
    add: { projectCount: 0 },
    when: 'accountId = :accountId AND attribute_not_exists(removingAt)',
    values: { accountId: ownerId },
  });
}

/** Works for a domain that is being removed, too. */
function leavePart(TableName: string, { domainId }: Counted) {
  return update(TableName, domainKey(domainId), {
    add: { projectCount: -1 },
    when: 'projectCount >= :one',
    values: { one: 1 },
  });
}
