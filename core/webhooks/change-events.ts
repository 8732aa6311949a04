import type { ProjectChange } from '../projects/change/project-change.ts';
import type { AccountEvent } from './webhook.ts';

/** The events that a change of a project makes true. Pure. */
export function eventsOfChange({
  before,
  after,
  version,
  at,
}: Pick<ProjectChange, 'before' | 'after' | 'version' | 'at'>): AccountEvent[] {
  const { id: projectId, ownerId: accountId, title, host, takedown } = after;
  if (accountId === null) return [];
  const event = (type: AccountEvent['type'], more: object): AccountEvent => ({
    type,
    at,
    accountId,
    projectId,
    data: { projectId, title, host, ...more },
  });
  const wasTakenDown = (before?.takedown ?? null) !== null;
  return [
    ...(version?.publishedBy.kind === 'link'
      ? [event('upload.received', { version: version.version })]
      : []),
    ...(after.version > 0 && after.version !== before?.version
      ? [event('version.published', { version: after.version, ...publisher(version, after) })]
      : []),
    ...(takedown !== null && !wasTakenDown
      ? [event('project.taken_down', { reason: takedown.reason })]
      : []),
  ];
}

/** Who published the version; nothing where an earlier one became live again. */
function publisher(version: ProjectChange['version'], after: { version: number }) {
  if (version?.version !== after.version) return {};
  const { kind, name } = version.publishedBy;
  return { publishedBy: { kind, name } };
}
