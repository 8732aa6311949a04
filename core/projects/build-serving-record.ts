import { settingsOf } from '../../contract/project-settings.ts';
import { passwordStampOf } from '../visit/access/access-token.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import { storedContent } from '../visit/manifest.ts';
import type { Project, Version } from './project.ts';

/** The serving record of a project and its live version. Pure. */
export function buildServingRecord(project: Project, live: Version): ServingRecord {
  const { host, id, ownerId, ownerRevision, title, status, access, passwordHash } = project;
  const { expiresAt, archivedAt, restingUntil, publishedAt } = project;
  const { retained, accessChangedAt, edgeFrom, peopleStamp } = project;
  const { version, store, type, home, markupRevision } = live;
  const temporary = project.ownerId === null;
  return {
    host,
    projectId: id,
    domainId: project.domainId,
    ownerId,
    ownerRevision,
    version,
    store,
    title,
    type,
    status,
    access,
    passwordStamp: passwordHash === null ? null : passwordStampOf(passwordHash),
    ...(peopleStamp !== undefined && { peopleStamp }),
    temporary,
    ...settingsOf(project),
    noIndex: project.noIndex || temporary,
    home,
    ...storedContent(live),
    ...(retained !== undefined && { retained }),
    ...(markupRevision !== undefined && { markupRevision }),
    publishedAt,
    expiresAt,
    archivedAt,
    ...(edgeFrom !== undefined && { edgeFrom }),
    ...(accessChangedAt !== undefined && { accessChangedAt }),
    restingUntil,
    takenDown: project.takedown !== null || project.suspendedAt !== null,
    handedOverAt: project.addressHistory?.handedOverAt ?? null,
  };
}
