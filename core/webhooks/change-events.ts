import type { Instant } from '../../contract/fields.ts';
import type { StoredDomain } from '../domains/domain.ts';
import type { ClaimChange, DomainChange } from '../domains/ports.ts';
import type { ProjectChange } from '../projects/change/project-change.ts';
import type { Project } from '../projects/project.ts';
import type { AccountEvent } from './webhook.ts';

/** An event about a project; none while nobody owns it. Pure. */
export function projectEvents(
  { id: projectId, ownerId: accountId, title, host }: Project,
  { type, at }: Pick<AccountEvent, 'type' | 'at'>,
  more: object,
): AccountEvent[] {
  if (accountId === null) return [];
  return [{ type, at, accountId, projectId, data: { projectId, title, host, ...more } }];
}

/** The events that a change of a project makes true. Pure. */
export function eventsOfChange({
  before,
  after,
  version,
  at,
}: Pick<ProjectChange, 'before' | 'after' | 'version' | 'at'>): AccountEvent[] {
  const { takedown, expiresAt } = after;
  const event = (type: AccountEvent['type'], more: object) =>
    projectEvents(after, { type, at }, more);
  const wasTakenDown = (before?.takedown ?? null) !== null;
  return [
    ...(version?.publishedBy.kind === 'link'
      ? event('upload.received', { version: version.version })
      : []),
    ...(after.version > 0 && after.version !== before?.version
      ? event('version.published', { version: after.version, ...publisher(version, after) })
      : []),
    ...(isEndAnnounced(before, after, at) ? event('project.expiring', { expiresAt }) : []),
    ...(takedown !== null && !wasTakenDown
      ? event('project.taken_down', { reason: takedown.reason })
      : []),
  ];
}

function isEndAnnounced(before: Project | undefined, after: Project, at: Instant): boolean {
  const { expiresAt, announcedEnd } = after;
  if (expiresAt === null || announcedEnd !== expiresAt) return false;
  return announcedEnd !== before?.announcedEnd && expiresAt > at;
}

/** That a check found a domain to be wrong which was right, or was waited for, before. Pure. */
export function eventsOfDomain(
  { accountId, name, status: before }: StoredDomain,
  { status, checkedAt, records = [] }: DomainChange,
): AccountEvent[] {
  if (status !== 'error_dns' || before === 'error_dns' || !checkedAt) return [];
  const wrong = records
    .filter(({ state, purpose }) => state !== 'ok' && purpose !== 'root')
    .map(({ type, name: at, value, state }) => ({ type, name: at, value, state }));
  const data = { domain: name, records: wrong };
  return [{ type: 'domain.failed', at: checkedAt, accountId, projectId: null, data }];
}

/** That proven domains are lost to another account, which proved their names. Pure. */
export function eventsOfLosses({ losers, at }: Pick<ClaimChange, 'losers' | 'at'>): AccountEvent[] {
  return losers
    .filter(({ wasProven }) => wasProven)
    .map(({ accountId, name }) => {
      const data = { domain: name, records: [] };
      return { type: 'domain.failed', at, accountId, projectId: null, data };
    });
}

/** Who published the version; nothing where an earlier one became live again. */
function publisher(version: ProjectChange['version'], after: { version: number }) {
  if (version?.version !== after.version) return {};
  const { kind, name } = version.publishedBy;
  return { publishedBy: { kind, name } };
}
