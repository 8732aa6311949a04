import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailNotices } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { ProjectId } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../../core/instants.ts';
import type { NoticeKey } from '../../core/ports.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { now } from '../fixtures/visits/a-site.ts';
import { hashSecretText } from '../../core/secret-text.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const after = (seconds: number) => plusSeconds(now, seconds);
const at = (seconds: number) => instant(after(seconds));

function aNotice(key: NoticeKey = { projectId: ProjectId.parse(randomUUID()) }) {
  const notices = mailNotices(stores.client, tables.projects);
  const projects = projectRepository(stores.client, tables);
  const isDue = async (seconds: number) => {
    for await (const item of projects.listDue(after(seconds))) {
      if (item.kind !== 'notice') continue;
      const { kind: _, ...due } = item;
      if (JSON.stringify(due) === JSON.stringify(key)) return true;
    }
    return false;
  };
  return {
    isDue,
    note: (opened: number, due: number) => notices.note(key, { at: at(opened), dueAt: at(due) }),
    lease: (seconds: number) => notices.lease(key, after(seconds), at(seconds + 600)),
    end: (lastAt: number, due: number) => notices.end(key, at(lastAt), at(due)),
  };
}

test('a mail is due when the first noted open says, and one caller gets it', async () => {
  const notice = aNotice();
  await notice.note(0, 60);
  await notice.note(10, 3600);
  expect(await notice.isDue(59)).toBe(false);
  expect(await notice.lease(59)).toBeUndefined();
  expect(await notice.isDue(60)).toBe(true);
  const leases = await Promise.all([notice.lease(60), notice.lease(60), notice.lease(60)]);
  expect(leases.filter((lastAt) => lastAt !== undefined)).toEqual([at(10)]);
  expect(await notice.isDue(61)).toBe(false);
  expect(await notice.lease(660)).toBe(at(10));
});

test('a notice ends; an open that was noted meanwhile is due later', async () => {
  const notice = aNotice();
  await notice.note(0, 60);
  expect(await notice.lease(60)).toBe(at(0));
  await notice.note(61, 61);
  await notice.end(0, 5000);
  expect(await notice.isDue(4999)).toBe(false);
  expect(await notice.lease(5000)).toBe(at(61));
  await notice.end(61, 9000);
  expect(await notice.isDue(100_000)).toBe(false);
  await notice.end(61, 9000);
  expect(await notice.lease(100_000)).toBeUndefined();
});

test('the notices of one project are apart', async () => {
  const projectId = ProjectId.parse(randomUUID());
  const link = randomUUID();
  const [opens, arrival] = [
    aNotice({ projectId }),
    aNotice({ projectId, link: { kind: 'upload', id: link } }),
  ];
  await opens.note(0, 60);
  await arrival.note(0, 10);
  expect([await opens.isDue(20), await arrival.isDue(20)]).toEqual([false, true]);
  expect(await arrival.lease(20)).toBe(at(0));
  await arrival.end(0, 0);
  expect([await opens.isDue(70), await arrival.isDue(1000)]).toEqual([true, false]);
});

test('the notices of a file request and of each receipt are apart, and found by the sweep', async () => {
  const requestHash = hashSecretText(randomUUID());
  const [owner, sender] = [aNotice({ requestHash }), aNotice({ requestHash, number: 12 })];
  await owner.note(0, 60);
  await sender.note(0, 10);
  expect([await owner.isDue(20), await sender.isDue(20)]).toEqual([false, true]);
  expect(await sender.lease(20)).toBe(at(0));
  await sender.end(0, 0);
  expect([await owner.isDue(70), await sender.isDue(1000)]).toEqual([true, false]);
});
