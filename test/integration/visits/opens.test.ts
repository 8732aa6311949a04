import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { cookieFrom, ownersCookie } from '../../fixtures/visits/access.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import {
  aiAgents,
  browserAgents,
  crawlers,
  mailScanners,
  previews,
} from '../../fixtures/agents/agents.ts';
import { anEmail, get, mailsTo, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import {
  hitsOf,
  look,
  open,
  opensOf,
  outcomesOf,
  whenCounted,
} from '../../fixtures/visits/opens.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { follow } from '../../fixtures/visits/share-links.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { patch } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud();
let key: string;
const email = anEmail();
beforeAll(async () => {
  await cloud.start();
  key = await signIn(email, cloud.baseUrl);
  await adminCommand('set-plan', email, 'agency', '--state-dir', cloud.stateDir);
});
afterAll(() => cloud.remove());

const aProject = async () => {
  const zip = new JSZip();
  zip.file('index.html', '<h1>Opens</h1>');
  zip.file('other.html', '<h1>Other</h1>');
  zip.file('style.css', 'h1{}');
  const site = file('site.zip', await zip.generateAsync({ type: 'nodebuffer' }));
  const fields = { zipIndexHtmlPath: 'index.html' };
  return created(key, { files: [site], fields, service: cloud.baseUrl });
};
const counted = async (projectId: string, isThere: (data: any) => boolean) => {
  // Waits until all queued hits are counted.
  await cloud.advance(0);
  return whenCounted(key, projectId, isThere, cloud.baseUrl);
};
/** Everything that was sent before is counted once this returns. */
const settled = async (projectId: string, visits: number) =>
  counted(projectId, (data) => data.visits.total >= visits);
const tally = (words: readonly string[]) =>
  words.reduce<Record<string, number>>(
    (sums, word) => ({ ...sums, [word]: (sums[word] ?? 0) + 1 }),
    {},
  );

/** Runs a moderate number of tasks in parallel. */
async function all(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let at = 0; at < tasks.length; at += 20) {
    await Promise.all(tasks.slice(at, at + 20).map((task) => task()));
  }
}

test('twenty concurrent visits count twenty, and their opens twenty', async () => {
  const { projectId, url } = await aProject();
  const people = Array.from({ length: 20 }, () => somebody());
  const answers = await Promise.all(people.map((from) => look(url, { from })));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await Promise.all(people.map((from) => open(url, { from })));
  const data = await counted(projectId, ({ visits, opens }) => visits.total + opens.total >= 40);
  const twenty = { total: 20, last24h: 20, last7d: 20 };
  expect(data).toMatchObject({ visits: twenty, opens: twenty, ownerOpens: { total: 0 } });
  expect(data.recentOpens).toHaveLength(10);
  expect(tally(outcomesOf(await hitsOf(key, projectId, '', cloud.baseUrl)))).toEqual({ open: 20 });
});

test('twenty messages of one page load count one open', async () => {
  const { projectId, url } = await aProject();
  const from = somebody();
  await look(url, { from });
  const id = randomUUID();
  const posted = (index: number) => index % 2 === 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => open(url, { from, id, posted: posted(index) })),
  );
  await open(url, { from });
  const data = await counted(projectId, ({ opens }) => opens.total >= 2);
  await settled(projectId, 1);
  expect(data.opens.total).toBe(2);
});

test('a repeated page view with a 304 is a visit; HEAD, ranges, assets and errors are not', async () => {
  const { projectId, url } = await aProject();
  const { headers } = await look(url);
  const unchanged = await look(url, { headers: { 'if-none-match': String(headers.etag) } });
  expect(unchanged.status).toBe(304);
  const others = await Promise.all([
    ask(url, { method: 'HEAD' }),
    look(url, { path: '/missing' }),
    look(url, { headers: { range: 'bytes=0-3' } }),
    look(url, {
      path: '/style.css',
      headers: { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' },
    }),
    look(url, { headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } }),
  ]);
  expect(others.map(({ status }) => status)).toEqual([200, 404, 206, 200, 200]);
  await look(url, { headers: { 'sec-purpose': 'prefetch' } });
  await look(url, { path: '/other.html' });
  const data = await settled(projectId, 3);
  expect(data.visits.total).toBe(3);
  expect(tally(outcomesOf(await hitsOf(key, projectId, '', cloud.baseUrl)))).toEqual({
    unconfirmed: 3,
    prefetch: 1,
  });
});

test("the owner's own views count as visits and ownerOpens, never as opens", async () => {
  const { projectId, url } = await aProject();
  const cookie = await ownersCookie(key, projectId, cloud.baseUrl);
  for (let view = 0; view < 3; view += 1) await look(url, { headers: { cookie } });
  for (let view = 0; view < 3; view += 1) await open(url, { headers: { cookie } });
  const data = await counted(projectId, ({ ownerOpens }) => ownerOpens.total >= 3);
  expect(await settled(projectId, 3)).toMatchObject({ visits: { total: 3 } });
  expect(data).toMatchObject({ opens: { total: 0 }, ownerOpens: { total: 3 }, recentOpens: [] });
  expect(tally(outcomesOf(await hitsOf(key, projectId, '', cloud.baseUrl)))).toEqual({ owner: 3 });
});

test('real browsers, crawlers, previews, scanners and AI agents are classified correctly', async () => {
  const { projectId, url } = await aProject();
  const seen = crawlers.flatMap(({ instances }) => instances);
  // Some of each; `classify-agent.test.ts` judges all of them.
  const groups = {
    people: browserAgents.slice(0, 30),
    crawlers: seen.filter((_, index) => index % 70 === 0),
    previews: Object.values(previews),
    scanners: mailScanners,
    ai: aiAgents,
  };
  const agents = Object.values(groups).flat();
  await all(
    agents.map((agent) => async () => {
      const who = { from: somebody(), headers: { 'user-agent': agent } };
      await look(url, who);
      // All of them say that they ran the script: only people's browsers are believed.
      await open(url, who);
    }),
  );
  const people = groups.people.length;
  await counted(projectId, ({ opens }) => opens.total >= people);
  await cloud.advance(5);
  const rows = tally(outcomesOf(await hitsOf(key, projectId, '?limit=5000', cloud.baseUrl)));
  expect(rows['open']).toBe(people);
  expect(rows['unconfirmed']).toBeUndefined();
  expect(Object.values(rows).reduce((sum, one) => sum + one, 0)).toBe(agents.length);
  const { visits, opens } = (await opensOf(key, projectId, cloud.baseUrl)).json.data;
  expect(opens.total).toBe(people);
  expect(visits.total).toBe(people + (rows['preview'] ?? 0));
}, 600_000);

describe('an open is not counted', () => {
  const foreign = (headers: Record<string, string>) => ({ headers });
  test.each([
    ['that is no JSON', { body: '{' }],
    [
      'that is longer than any',
      { body: JSON.stringify({ id: randomUUID(), path: `/${'x'.repeat(5000)}` }) },
    ],
    ['of a list', { body: '[]' }],
    ['of nothing', { body: '' }],
    ['of a bot', foreign({ 'user-agent': 'Googlebot/2.1' })],
  ])('%s, and answered 204', async (_, report) => {
    const { projectId, url } = await aProject();
    expect((await open(url, report)).status).toBe(204);
    await look(url);
    expect(await settled(projectId, 1)).toMatchObject({ opens: { total: 0 } });
  });

  test('for a missing site, or a site that this visitor cannot view', async () => {
    const { projectId, url } = await aProject();
    await patch(key, projectId, { access: 'password', password: 'open sesame' }, cloud.baseUrl);
    expect((await open(url)).status).toBe(204);
    expect((await open(url.replace('://', '://nobody-'))).status).toBe(204);
    await patch(key, projectId, { access: 'public' }, cloud.baseUrl);
    await look(url);
    expect(await settled(projectId, 1)).toMatchObject({ opens: { total: 0 } });
  });
});

test('a page without referrers sends no origin and is counted', async () => {
  const { projectId, url } = await aProject();
  const headers = { origin: 'null' };
  await open(url, { headers, referrer: 'https://example.org/from?x=1', posted: true });
  const data = await counted(projectId, ({ opens }) => opens.total >= 1);
  expect(data.recentOpens).toMatchObject([{ referrer: 'example.org', browser: 'Firefox' }]);
});

test('a browser without Sec-Fetch headers is counted by its origin', async () => {
  const { projectId, url } = await aProject();
  const body = JSON.stringify({ id: randomUUID(), path: '/', r: '' });
  const agent = browserAgents[0] ?? '';
  const headers = { origin: url.replace(/\/$/, ''), 'user-agent': agent };
  await ask(`${url}/_slipway/open`, { method: 'POST', body, headers });
  expect(await counted(projectId, ({ opens }) => opens.total >= 1)).toMatchObject({
    opens: { total: 1 },
  });
});

test('with analytics off nothing new is recorded, and earlier records stay', async () => {
  const { projectId, url } = await aProject();
  await look(url);
  await settled(projectId, 1);
  await patch(key, projectId, { analyticsEnabled: false }, cloud.baseUrl);
  await look(url);
  await open(url);
  await patch(key, projectId, { analyticsEnabled: true }, cloud.baseUrl);
  await look(url);
  const data = await settled(projectId, 2);
  expect(data).toMatchObject({ visits: { total: 2 }, opens: { total: 0 } });
});

test('the last day and the last week move with the clock; totals stay, and the free plan is refused', async () => {
  const { projectId, url } = await aProject();
  const guest = await signIn(undefined, cloud.baseUrl);
  await look(url);
  await open(url);
  await counted(projectId, ({ visits, opens }) => visits.total + opens.total >= 2);
  const figures = async () => {
    const { opens, visits } = (await opensOf(key, projectId, cloud.baseUrl)).json.data;
    return [opens, visits];
  };
  await cloud.advance(24 * 3600 + 60);
  const afterADay = { total: 1, last24h: 0, last7d: 1 };
  expect(await figures()).toEqual([afterADay, afterADay]);
  await cloud.advance(6 * 24 * 3600);
  const afterAWeek = { total: 1, last24h: 0, last7d: 0 };
  expect(await figures()).toEqual([afterAWeek, afterAWeek]);
  // By now the trial of a guest is over.
  for (const ask of [
    opensOf(guest, projectId, cloud.baseUrl),
    hitsOf(guest, projectId, '', cloud.baseUrl),
  ]) {
    const answer = await ask;
    expectRefusal(answer, 403, 'FREE_TIER_RESTRICTED');
    expect(answer.json.requiredTier).toBe('starter');
  }
});

describe('mails about opens', () => {
  const mails = async () =>
    (await mailsTo(email, cloud.baseUrl)).filter(({ subject }) => /opened/.test(subject));
  const opened = async ({ projectId, url }: { projectId: string; url: string }, total: number) => {
    await look(url);
    await open(url);
    await counted(projectId, ({ opens }) => opens.total >= total);
  };

  test('the first open after it was asked for is mailed once', async () => {
    const project = await aProject();
    const earlier = (await mails()).length;
    await opened(project, 1);
    await patch(key, project.projectId, { notify: 'first' }, cloud.baseUrl);
    await look(project.url, { headers: { 'user-agent': previews.Slack } });
    const cookie = await ownersCookie(key, project.projectId, cloud.baseUrl);
    await open(project.url, { headers: { cookie } });
    await counted(project.projectId, ({ ownerOpens }) => ownerOpens.total > 0);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier);
    await opened(project, 2);
    await opened(project, 3);
    await cloud.maintain();
    await opened(project, 4);
    await cloud.maintain();
    const sent = await mails();
    expect(sent).toHaveLength(earlier + 1);
    const mail = sent.find(({ text }) => text.includes(project.projectId));
    expect(mail.text).toContain(`/dashboard/projects/${project.projectId}`);
    expect(mail.text).toMatch(/Somebody opened .*\n\n.* UTC, .*Firefox/);
  });

  test('the first open by a share link is mailed with its name, and opens without it are not', async () => {
    const project = await aProject();
    const links = `${cloud.baseUrl}/v1/projects/${project.projectId}/links`;
    const choices = { name: 'Anna', notify: 'first' };
    const { url } = (await sendWith(key, links, choices)).json.data;
    const earlier = (await mails()).length;
    await opened(project, 1);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier);
    const cookie = cookieFrom(await follow(url));
    for (const total of [2, 3]) {
      await open(project.url, { headers: { cookie } });
      await counted(project.projectId, ({ opens }) => opens.total >= total);
      await cloud.maintain();
    }
    const sent = (await mails()).filter(({ subject }) => subject.includes('“Anna”'));
    expect(sent).toHaveLength(1);
    expect(await mails()).toHaveLength(earlier + 1);
  });

  test('stop with one press of a link in each, which scanners open without effect', async () => {
    const project = await aProject();
    await patch(key, project.projectId, { notify: 'daily' }, cloud.baseUrl);
    await opened(project, 1);
    await cloud.advance(24 * 3600);
    await cloud.maintain();
    const mail = (await mails()).find(({ text }) => text.includes(project.projectId));
    const [, url = ''] = /^<(.+)>$/.exec(mail.headers['list-unsubscribe']) ?? [];
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail.text).toContain(url);
    const notify = async () =>
      (await get(`/v1/projects/${project.projectId}`, key, cloud.baseUrl)).json.data.notify;
    const page = await ask(url);
    expect([page.status, await notify()]).toEqual([200, 'daily']);
    expect(page.text).toContain('<button');
    expect((await ask(`${url.slice(0, -1)}!`)).status).toBe(404);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const oneClick = { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' };
    for (const _ of [1, 2]) expect((await ask(url, oneClick)).status).toBe(200);
    expect(await notify()).toBeUndefined();
    const earlier = (await mails()).length;
    await opened(project, 2);
    await cloud.advance(24 * 3600);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier);
  });

  test('a day with opens is mailed the next morning, and again only after another open', async () => {
    const project = await aProject();
    const earlier = (await mails()).length;
    await patch(key, project.projectId, { notify: 'daily' }, cloud.baseUrl);
    await opened(project, 1);
    await opened(project, 2);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier);
    await cloud.advance(24 * 3600);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier + 1);
    await cloud.advance(24 * 3600);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier + 1);
    await opened(project, 3);
    await patch(key, project.projectId, { notify: 'off' }, cloud.baseUrl);
    await cloud.advance(24 * 3600);
    await cloud.maintain();
    expect(await mails()).toHaveLength(earlier + 1);
  });
});
