import type { ProjectId } from '../../../contract/fields.ts';
import { boundedMemory } from '../../../core/bounded-memory.ts';
import { PeopleList } from '../../../core/people/people-list.ts';
import { Visitor, type VisitorId, type VisitorStore } from '../../../core/people/visitor.ts';
import { rowParser } from '../null-fields.ts';
import type { ReadItem } from '../read-rows.ts';
import { partition } from './project-keys.ts';

const parsePeople = rowParser(PeopleList);
export const parseVisitor = rowParser(Visitor);

/** The row of a project's list of people: up to 500 entries of 254 bytes, so it is not part of the serving record. */
const peopleKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'PEOPLE' });

export const visitorKey = (projectId: ProjectId, id: VisitorId) => ({
  pk: partition(projectId),
  sk: `VISITOR#${id}`,
});

export const peopleRow = (projectId: ProjectId, list: PeopleList) => ({
  ...peopleKey(projectId),
  ...list,
});

/** Some tens of the largest lists. */
const rememberedBytes = 4 * 1024 * 1024;

/**
 * Reads visitors and lists of people. A list with a stamp never changes, so it is remembered. The gate imports this,
 * so it needs no SDK.
 */
export function visitorReader(
  readItem: ReadItem,
  table: string,
): Pick<VisitorStore, 'find' | 'listOf'> {
  const lists = boundedMemory<PeopleList>(rememberedBytes);
  return {
    async find(projectId, id) {
      const row = await readItem(table, visitorKey(projectId, id));
      return row === undefined ? undefined : parseVisitor(row);
    },
    async listOf(projectId, stamp) {
      const key = `${projectId} ${stamp}`;
      const known = lists.get(key);
      if (known !== undefined) return known;
      const row = await readItem(table, peopleKey(projectId));
      const list = row === undefined ? undefined : parsePeople(row);
      if (list?.stamp === stamp) lists.add(key, list, JSON.stringify(list).length * 2);
      return list;
    },
  };
}
