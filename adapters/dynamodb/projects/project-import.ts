import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../../../contract/fields.ts';
import { instant } from '../../../core/instants.ts';
import { wantsFirstPlace } from '../../../core/projects/edge-copies.ts';
import type { AddressHistory, FormerAddress, Project } from '../../../core/projects/project.ts';
import type { PeopleList } from '../../../core/people/people-list.ts';
import type {
  ImportStore,
  ImportStart,
  ImportPublication,
  PublicationOutcome,
} from '../../../core/transfer/ports.ts';
import { accountParts } from '../accounts/account-totals.ts';
import { writeWithEdgePlace } from '../accounts/edge-place-table.ts';
import { addressAttempts, findAddress, ifAddressUnchanged } from './address-table.ts';
import { domainMoveParts } from '../domains/domain-parts.ts';
import type { OwnedProjectTables } from './owned-project-repository.ts';
import { peopleRow } from './people-row.ts';
import { metaKey } from './project-keys.ts';
import { dueAttributes, projectRow, parseProjectRow, siteRow, versionRow } from './project-rows.ts';
import { findRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { put, write } from '../writes.ts';
import { workspaceMoveParts } from '../workspaces/workspace-parts.ts';

/**
 * Imports into DynamoDB. A started import has a project row that is marked as such: it has no owner
 * and is in no list. If it is not published in time, the sweep removes it like a deleted project.
 */
export function projectImport(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
): ImportStore {
  return {
    find: (projectId) =>
      findRow(client, tables.projects, metaKey(projectId), (row) => ({
        project: parseProjectRow(row),
        isUnfinishedImport: row['importing'] === true,
      })),
    begin: (start) => write(client, startPut(tables.projects, start)),
    async addVersion(projectId, version) {
      await write(client, put(tables.projects, versionRow(projectId, version)));
    },
    async publish(publication) {
      const { project, site, at } = publication;
      const { ownerId: accountId } = project;
      if (accountId === null) throw new Error('an imported project must have an owner');
      if (!wantsFirstPlace(project)) return publish(client, tables, publication, accountId);
      return writeWithEdgePlace(client, {
        table: tables.accounts,
        accountId,
        at,
        write(place) {
          const kept = { edgeFrom: instant(place) };
          const placed = { project: { ...project, ...kept }, site: { ...site, ...kept } };
          return publish(client, tables, { ...publication, ...placed }, accountId);
        },
        isWritten: (outcome) => outcome === 'published',
      });
    },
  };
}

async function publish(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  publication: ImportPublication,
  accountId: AccountId,
): Promise<PublicationOutcome> {
  const { project, at } = publication;
  const { id: projectId, slug, host, domainId } = project;
  const requester = { projectId, slug, accountId, domainId, isImport: true };
  const request = { host, requester, now: new Date(at) };
  for (let count = 1; count <= addressAttempts; count += 1) {
    const address = await findAddress(client, tables, request);
    if (typeof address === 'string') return 'slug-taken';
    const { history } = address;
    const located = withHistory(publication, history);
    const step = { publication: located, holder: history?.left ?? undefined };
    const outcome = await publishImport(client, tables, step);
    if (outcome !== 'address-changed') return outcome;
  }
  return 'slug-taken';
}

function withHistory(
  publication: ImportPublication,
  addressHistory: AddressHistory,
): ImportPublication {
  const { project, site } = publication;
  const handedOverAt = addressHistory?.handedOverAt ?? null;
  return {
    ...publication,
    project: { ...project, addressHistory },
    site: { ...site, handedOverAt },
  };
}

async function publishImport(
  client: DynamoDBDocumentClient,
  tables: OwnedProjectTables,
  step: { publication: ImportPublication; holder: FormerAddress | undefined },
): Promise<PublicationOutcome | 'address-changed'> {
  const unmet = await writeTransaction(client, publicationParts(tables, step));
  if (unmet.size === 0) return 'published';
  if (unmet.has('project')) return 'lost';
  if (unmet.has('site')) return 'address-changed';
  if (unmet.has('domain')) return 'domain-not-ready';
  if (unmet.has('workspace')) return 'workspace-gone';
  if (unmet.has('account')) return 'account-suspended';
  throw new Error(`unexpected failed conditions in an import: ${[...unmet.keys()].join(', ')}`);
}

/** The condition that the row is a started import that is not yet due for the sweep. */
const isUnfinished = 'importing = :true AND dueAt > :at';

/** The row has no owner and no expiry, so that it is in no list and only the sweep removes it. */
function startPut(TableName: string, { project, at, dueAt }: ImportStart) {
  const hidden = { ...project, ownerId: null, expiresAt: null, version: 0, removingAt: at };
  const row = { ...projectRow(hidden), importing: true, ...dueAttributes(project.id, dueAt) };
  const when = `attribute_not_exists(pk) OR (${isUnfinished})`;
  return put(TableName, row, { when, values: { true: true, at } });
}

function publicationParts(
  tables: OwnedProjectTables,
  { publication, holder }: { publication: ImportPublication; holder: FormerAddress | undefined },
) {
  const { project, site, people, charge, at } = publication;
  const guard =
    charge === undefined
      ? undefined
      : ({ accountId: charge.accountId, expects: 'active' } as const);
  const ifUnfinished = { when: isUnfinished, values: { true: true, at } };
  return [
    ['site', put(tables.sites, siteRow(site), ifAddressUnchanged(holder))],
    ['project', put(tables.projects, projectRow(project), ifUnfinished)],
    ...peopleParts(tables.projects, project, people),
    ...domainMoveParts(tables.projects, undefined, project),
    ...workspaceMoveParts(tables.accounts, undefined, project),
    ...accountParts(tables.accounts, charge, guard),
  ] as const;
}

function peopleParts(TableName: string, { id }: Project, people: PeopleList | undefined) {
  return people === undefined ? [] : [['people', put(TableName, peopleRow(id, people))] as const];
}
