import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { visitorTable } from '../../adapters/dynamodb/projects/visitor-table.ts';
import { ProjectId } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../../core/instants.ts';
import { type VisitorId, visitorIdOf } from '../../core/people/visitor.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { now } from '../fixtures/visits/a-site.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

test('visitors are listed in pages, each once, without the expired and those of other projects', async () => {
  const visitors = visitorTable(stores.client, tables.projects);
  const [projectId, other] = [randomUUID(), randomUUID()].map((id) => ProjectId.parse(id));
  if (projectId === undefined || other === undefined) throw new Error('no ids');
  const admit = async (project: ProjectId, email: string, seconds: number) => {
    const id = visitorIdOf(project, email);
    const at = { createdAt: instant(now), provedAt: instant(now) };
    const expiresAt = instant(plusSeconds(now, seconds));
    await visitors.admit({ id, projectId: project, email, ...at, expiresAt });
    return id;
  };
  const ids = new Array<VisitorId>();
  for (let one = 0; one < 7; one += 1)
    ids.push(await admit(projectId, `anna${one}@example.org`, 60));
  await admit(projectId, 'bo@example.org', 0);
  await admit(other, 'cy@example.org', 60);
  const found = new Array<VisitorId>();
  const sizes = new Array<number>();
  let after: VisitorId | undefined;
  do {
    const page = await visitors.list(projectId, { after, limit: 3, now });
    found.push(...page.visitors.map(({ id }) => id));
    sizes.push(page.visitors.length);
    after = page.next;
  } while (after !== undefined);
  expect(found.toSorted()).toEqual(ids.toSorted());
  expect(sizes).toHaveLength(3);
  const whole = await visitors.list(projectId, { after: undefined, limit: 8, now });
  expect([whole.visitors.length, whole.next]).toEqual([7, undefined]);
});
