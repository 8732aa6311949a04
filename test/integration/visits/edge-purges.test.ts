import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { edgePlaceRules } from '../../../core/projects/edge-copies.ts';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud('plans.pro.requestsPerMinute=-1');
let service = '';
let key = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());

interface Site {
  projectId: string;
  url: string;
}

const files = [file('index.html', '<h1>Home'), file('style.css', 'body{}')];
const aSite = (): Promise<Site> => created(key, { files, service });
const style = (site: Site) => ask(`${site.url}/style.css`);
const wordOf = async (site: Site) => (await style(site)).headers['x-cache'];
const change = async ({ projectId }: Site, settings: object) => {
  const { status, text } = await patch(key, projectId, settings, service);
  if (status !== 200) throw new Error(text);
};

async function warm(site: Site): Promise<void> {
  // The edge keeps nothing that took the gate long, as on a busy machine.
  for (let tries = 1; tries <= 20; tries += 1) {
    if ((await wordOf(site)) === 'Hit from cloudfront') return;
  }
  throw new Error('the edge keeps nothing');
}

/** How often `work` paid for an invalidation, its second purges included. */
async function invalidations(work: () => Promise<void>): Promise<number> {
  const calls = await cloud.costOf(async () => {
    await work();
    await cloud.advance(180);
  });
  const paid = Object.entries(calls).filter(([name]) => name.startsWith('CreateInvalidation'));
  return paid.reduce((sum, [, count]) => sum + count, 0);
}

test('changes of one site within a minute share one purge, and none is stale', async () => {
  key = await signIn(anEmail(), service);
  const site = await aSite();
  await warm(site);
  const paid = await invalidations(async () => {
    const titles = Array.from({ length: 12 }, (_, count) => change(site, { title: `T${count}` }));
    await Promise.all([...titles, change(site, { noIndex: true })]);
    expect((await style(site)).headers['x-robots-tag']).toBe('noindex');
    await change(site, { noIndex: false });
    expect((await style(site)).headers['x-robots-tag']).not.toBe('noindex');
  });
  expect(paid).toBe(2);
  // The minute is over: the edge keeps files again.
  await warm(site);
}, 300_000);

test('a page alone, and a site that was never public, are never purged', async () => {
  key = await signIn(anEmail(), service);
  const paid = await invalidations(async () => {
    const page = await created(key, { files: [file('index.html', '<h1>One')], service });
    const hidden = await created(key, { files, fields: { access: 'private' }, service });
    for (const site of [page, hidden]) {
      await change(site, { title: 'Other' });
      await cloud.advance(120);
      await change(site, { noIndex: true });
      await ask(site.url);
      await change(site, { noIndex: false });
    }
    const shown = await ask(page.url);
    expect(shown.status).toBe(200);
    expect(shown.headers['x-robots-tag']).not.toBe('noindex');
  });
  expect(paid).toBe(0);
}, 300_000);

test('200 changes in an hour cost a bounded number of purges; less access holds at once; the budget comes back', async () => {
  key = await signIn(anEmail(), service);
  const [hour] = edgePlaceRules;
  const most = 3 * (hour?.limit ?? 0);
  const sites: Site[] = [];
  for (let count = 0; count < 20; count += 1) sites.push(await aSite());
  const [first, second] = sites as [Site, Site];
  const last = sites.at(-1) as Site;
  await warm(first);
  // Its place is an hour ahead: the edge keeps nothing, so nothing can be stale.
  await style(last);
  expect(await wordOf(last)).not.toBe('Hit from cloudfront');
  const paid = await invalidations(async () => {
    for (let round = 1; round <= 10; round += 1) {
      if (round === 5) await warm(second).catch(() => undefined);
      await Promise.all(sites.map((site) => change(site, { title: `Round ${round}` })));
      if (round === 5) {
        await change(second, { access: 'private' });
        expect((await style(second)).status).not.toBe(200);
        await change(second, { access: 'public' });
      }
      await cloud.advance(340);
    }
  });
  console.log(`200 changes in an hour: ${paid} invalidations, at most ${most}`);
  expect(paid).toBeLessThanOrEqual(most);
  await cloud.advance(24 * 3600);
  await warm(last);
  // A warm site beyond the budget was paid for when it came to the edge.
  await change(last, { status: 'private' });
  expect((await style(last)).status).toBe(404);
}, 600_000);

test('less access in the middle of a push holds for the next visitor', async () => {
  key = await signIn(anEmail(), service);
  const site = await aSite();
  await warm(site);
  const titles = Array.from({ length: 5 }, (_, count) => change(site, { title: `T${count}` }));
  await change(site, { status: 'private' });
  expect((await style(site)).status).toBe(404);
  await Promise.all(titles);
  expect((await style(site)).status).toBe(404);
}, 300_000);
