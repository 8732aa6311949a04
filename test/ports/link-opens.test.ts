import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { linkOpens } from '../../adapters/dynamodb/hits/link-opens.ts';
import { ProjectId } from '../../contract/fields.ts';
import { recordBatch } from '../../core/analytics/count-hits.ts';
import { groupHits } from '../../core/analytics/hit-batches.ts';
import { noteOpens } from '../../core/analytics/open-mails.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { aProject } from '../fixtures/projects/a-project.ts';
import { soonAfter } from '../fixtures/visits/counted-hits.ts';
import { aHit } from '../fixtures/visits/hits.ts';
import { aShareLink, MemoryShareLinks } from '../fixtures/visits/share-links.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** A project whose opens by links are counted, as the counter of hits does it. */
function aWorld() {
  const projectId = ProjectId.parse(randomUUID());
  const opens = linkOpens(stores.client, tables.analytics);
  const shareLinks = new MemoryShareLinks();
  const deps = {
    notices: { note: async () => undefined },
    shareLinks,
    linkOpens: opens,
    now: soonAfter,
  };
  return {
    projectId,
    opens,
    shareLinks,
    open: async (id: string, shard = 0) => {
      const name = randomUUID();
      const hit = aHit({ projectId, kind: 'open', id: name, link: { id, name: 'Anna' } });
      const hits = hitTable(stores.client, tables, soonAfter);
      for (const batch of groupHits([hit])) {
        expect(await recordBatch(hits, { ...batch, shard })).toEqual([]);
      }
      await noteOpens(deps, aProject({ id: projectId }), [hit]);
    },
    rows: async () => {
      const { analytics = [] } = await stores.rows();
      return analytics.filter(({ pk, sk }) => pk.includes(projectId) && sk.startsWith('LINK#'));
    },
  };
}

test('the opens of a link that is removed leave no row in any partition, and those of others stay', async () => {
  const { projectId, opens, shareLinks, open, rows } = aWorld();
  const [gone, kept] = [aShareLink({ projectId }).link, aShareLink({ projectId }).link];
  for (const link of [gone, kept]) {
    await shareLinks.create(link, 10);
    for (const shard of [0, 3, 7]) await open(link.id, shard);
  }
  expect(await rows()).toHaveLength(6);
  await opens.removeLink(projectId, gone.id);
  expect(await rows()).toHaveLength(3);
  const counted = await opens.ofLinks(projectId);
  expect([...counted].map(([id, { opens: count }]) => [id, count])).toEqual([[kept.id, 3]]);
});

test('an open that is counted after its link was deleted leaves no row', async () => {
  const { projectId, shareLinks, open, rows } = aWorld();
  const { link } = aShareLink({ projectId });
  await shareLinks.create(link, 10);
  await open(link.id);
  expect(await rows()).toHaveLength(1);
  await shareLinks.remove(projectId, link.id);
  await open(link.id);
  await open(link.id, 5);
  expect(await rows()).toEqual([]);
});
