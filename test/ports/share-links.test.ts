import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mailNotices } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { projectRow } from '../../adapters/dynamodb/projects/project-rows.ts';
import { shareLinkOpens } from '../../adapters/dynamodb/projects/share-link-opens.ts';
import { shareLinkTable } from '../../adapters/dynamodb/projects/share-link-table.ts';
import { ProjectId } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../../core/instants.ts';
import {
  pressIdOf,
  ShareLinkId,
  type ShareLinkOpens,
  type ShareLinkStore,
} from '../../core/share-links/share-link.ts';
import { deliveryTable } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import { AccountId } from '../../contract/fields.ts';
import { WebhookId } from '../../contract/operations/webhooks.ts';
import type { Project } from '../../core/projects/project.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { aProject } from '../fixtures/projects/a-project.ts';
import { now } from '../fixtures/visits/a-site.ts';
import { aShareLink, MemoryShareLinks } from '../fixtures/visits/share-links.ts';
import { aWebhook } from '../fixtures/webhooks/memory-webhooks.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const aPress = () => pressIdOf(randomUUID(), '192.0.2.1');

const putProject = (projectId: string, more: Partial<Project> = {}) =>
  stores.client.send(
    new PutCommand({
      TableName: tables.projects,
      Item: { ...projectRow(aProject({ id: ProjectId.parse(projectId), ...more })) },
    }),
  );

describe.each<[string, () => ShareLinkStore & ShareLinkOpens]>([
  [
    'DynamoDB',
    () => ({
      ...shareLinkTable(stores.client, tables.projects),
      ...shareLinkOpens(stores.client, tables),
    }),
  ],
  ['memory', () => new MemoryShareLinks()],
])('share links in %s', (_, implementation) => {
  let links: ShareLinkStore & ShareLinkOpens;
  let projectId: ProjectId;
  beforeEach(async () => {
    links = implementation();
    projectId = ProjectId.parse(randomUUID());
    await putProject(projectId);
  });
  const made = async (changes: Parameters<typeof aShareLink>[0] = {}, most = 100) => {
    const { link } = aShareLink({ projectId, ...changes });
    return { link, created: await links.create(link, most) };
  };

  test('a link is found as it was stored, and listed newest first', async () => {
    const recipients = ['anna@example.org'];
    const { link } = await made({ recipients, maxOpens: 3, expiresAt: instant(now), version: 2 });
    expect(await links.find(projectId, link.id)).toEqual(link);
    const { link: later } = await made({ createdAt: instant(plusSeconds(now, 1)) });
    expect(await links.list(projectId)).toEqual([later, link]);
    expect(await links.list(ProjectId.parse(randomUUID()))).toEqual([]);
  });

  test('fields are replaced and removed, and the others stay', async () => {
    const { link } = await made({ maxOpens: 3, expiresAt: instant(now) });
    const changes = { name: 'Berta', maxOpens: null, version: 4 };
    expect(await links.update(projectId, link.id, changes)).toBe(true);
    expect(await links.update(projectId, link.id, {})).toBe(true);
    expect(await links.find(projectId, link.id)).toEqual({ ...link, ...changes });
  });

  test('a link that is removed is gone, and comes back by no change', async () => {
    const { link } = await made({ maxOpens: 1 });
    expect(await links.remove(projectId, link.id)).toBe(true);
    expect(await links.remove(projectId, link.id)).toBe(false);
    expect(await links.update(projectId, link.id, { name: 'Berta' })).toBe(false);
    expect(await links.useOpen(link, aPress(), now)).toBe(false);
    expect(await links.find(projectId, link.id)).toBeUndefined();
  });

  test('of 50 opens at once as many succeed as are left', async () => {
    const { link } = await made({ maxOpens: 7, usedOpens: 2 });
    const opens = Array.from({ length: 50 }, () => links.useOpen(link, aPress(), now));
    expect((await Promise.all(opens)).filter(Boolean)).toHaveLength(5);
    expect((await links.find(projectId, link.id))?.usedOpens).toBe(7);
  });

  test('of presses of one browser within a minute one counts, also at once, and the row forgets them', async () => {
    const { link } = await made({ maxOpens: 7 });
    const [ours, other] = [aPress(), aPress()];
    const opens = Array.from({ length: 8 }, () => links.useOpen(link, ours, now));
    expect((await Promise.all(opens)).filter(Boolean)).toHaveLength(1);
    expect(await links.useOpen(link, other, now)).toBe(true);
    const current = await links.find(projectId, link.id);
    if (current === undefined) throw new Error('the link is gone');
    expect(current).toMatchObject({ usedOpens: 2, presses: { [ours]: instant(now) } });
    const soon = plusSeconds(now, 59);
    expect(await links.useOpen(current, ours, soon)).toBe(false);
    const later = plusSeconds(now, 60);
    expect(await links.useOpen(current, ours, later)).toBe(true);
    expect(await links.find(projectId, link.id)).toMatchObject({
      usedOpens: 3,
      presses: { [ours]: instant(later) },
    });
  });

  test.each([
    ['has no limit', {}],
    ['has expired', { maxOpens: 3, expiresAt: instant(now) }],
    ['is used up', { maxOpens: 3, usedOpens: 3 }],
  ])('no open is counted of a link that %s', async (_state, changes) => {
    const { link } = await made(changes);
    expect(await links.useOpen(link, aPress(), now)).toBe(false);
    expect(await links.find(projectId, link.id)).toEqual(link);
  });

  test('of 12 links at once a project gets as many as its plan allows, and again after one is removed', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => made({}, 4)));
    const created = results.filter(({ created: is }) => is === true);
    expect(created).toHaveLength(4);
    expect(await links.list(projectId)).toHaveLength(4);
    const [first] = created;
    if (first === undefined) throw new Error('none was created');
    await links.remove(projectId, first.link.id);
    expect((await made({}, 4)).created).toBe(true);
    expect((await made({}, 4)).created).toBe(false);
  });
});

test('a link that is removed takes its waiting mail along, and those of others stay', async () => {
  const projectId = ProjectId.parse(randomUUID());
  await putProject(projectId);
  const links = shareLinkTable(stores.client, tables.projects);
  const notices = mailNotices(stores.client, tables.projects);
  const made = [aShareLink({ projectId }).link, aShareLink({ projectId }).link];
  for (const link of made) {
    await links.create(link, 10);
    const key = { projectId, link: { kind: 'share', id: link.id } } as const;
    await notices.note(key, { at: instant(now), dueAt: instant(now) });
  }
  const [gone, kept] = made;
  await links.remove(projectId, gone?.id ?? ShareLinkId.parse(''));
  const { projects = [] } = await stores.rows();
  const rows = projects.filter(({ pk, sk }) => pk.includes(projectId) && sk.startsWith('NOTICE'));
  expect(rows.map(({ sk }) => sk)).toEqual([`NOTICE#share#${kept?.id}`]);
});

test('a project that is being removed gets no more links', async () => {
  const projectId = ProjectId.parse(randomUUID());
  const links = shareLinkTable(stores.client, tables.projects);
  expect(await links.create(aShareLink({ projectId }).link, 10)).toBe('gone');
  await putProject(projectId, { removingAt: instant(now) });
  expect(await links.create(aShareLink({ projectId }).link, 10)).toBe('gone');
  expect(await links.list(projectId)).toEqual([]);
});

test('whoever uses the last open, also of 50 at once, tells webhooks of it once', async () => {
  const projectId = ProjectId.parse(randomUUID());
  const ownerId = AccountId.parse(randomUUID());
  await putProject(projectId, { ownerId });
  const [webhookId, other] = [WebhookId.parse(randomUUID()), WebhookId.parse(randomUUID())];
  const events = ['link.exhausted' as const];
  const next = [
    aWebhook({ id: webhookId, events }),
    aWebhook({ id: other, events: ['quota.near'] }),
  ];
  await webhookTable(stores.client, tables.accounts).change(ownerId, () => ({ next, result: 0 }));
  const links = shareLinkTable(stores.client, tables.projects);
  const opens = shareLinkOpens(stores.client, tables);
  const deliveries = deliveryTable(stores.client, tables.projects);
  const openAll = async (count: number) => {
    const { link } = aShareLink({ projectId, maxOpens: 3 });
    await links.create(link, 10);
    const used = Array.from({ length: count }, () => opens.useOpen(link, aPress(), now));
    return { link, opened: (await Promise.all(used)).filter(Boolean).length };
  };
  expect((await openAll(2)).opened).toBe(2);
  expect(await deliveries.list(webhookId, 9)).toEqual([]);
  const { link, opened } = await openAll(50);
  expect(opened).toBe(3);
  const [told, ...more] = await deliveries.list(webhookId, 9);
  expect(more).toEqual([]);
  expect(told).toMatchObject({ type: 'link.exhausted', subject: projectId, at: instant(now) });
  const { id, name } = link;
  expect(JSON.parse(told?.data ?? '')).toMatchObject({ link: { id, name }, opens: 3 });
  expect(await deliveries.list(other, 9)).toEqual([]);
  // The owner allows one more.
  await links.update(projectId, id, { maxOpens: 4 });
  expect(await opens.useOpen(link, aPress(), now)).toBe(true);
  expect(await opens.useOpen(link, aPress(), now)).toBe(false);
  expect(await deliveries.list(webhookId, 9)).toHaveLength(2);
});
