import type { ServingRecord } from '../visit/serving-record.ts';
import type { Project, Version } from './project.ts';

/** What visitors of a project get from now on: its settings, and one version of its content. Pure. */
export function servingRecord(project: Project, live: Version): ServingRecord {
  const { host, id, title, status, access, noIndex, expiresAt, archivedAt, publishedAt } = project;
  const { version, store, type, home, manifest } = live;
  const temporary = project.ownerId === null;
  return {
    host,
    projectId: id,
    version,
    store,
    title,
    type,
    status,
    access,
    temporary,
    noIndex: noIndex || temporary,
    home,
    ...(manifest !== undefined && { manifest }),
    publishedAt,
    expiresAt,
    archivedAt,
    takenDown: project.takedown !== null,
  };
}
