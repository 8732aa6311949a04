import { randomUUID } from 'node:crypto';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { type Answer, somebody, publishTo } from '../fixtures/clouds/client.ts';
import { history, push } from '../fixtures/projects/versions.ts';
import { look, open } from '../fixtures/visits/opens.ts';
import type { Findings } from './findings.ts';
import { aPage, claim, type Site } from './sites.ts';

/** What people do with one service, and what was seen of it. */
export interface Crowd {
  service: string;
  findings: Findings;
  /** The projects whose statistics are compared in the end. */
  sites: Site[];
}

const pushes = 3;
const visitors = 4;

/**
 * People who publish without an account, sign in, claim what they published, push versions, and
 * visit, one after the other until the time is over. Every write is read back.
 */
export async function playJourneys(crowd: Crowd, until: Date): Promise<void> {
  while (Date.now() < until.getTime()) {
    try {
      await playJourney(crowd);
    } catch (error) {
      crowd.findings.problem(`a journey ended early: ${String(error)}`);
    }
  }
}

async function playJourney(crowd: Crowd): Promise<void> {
  const { service } = crowd;
  const word = randomUUID();
  const published = await timed(crowd, 'publish', 200, () => publishTo(service, [aPage(word)]));
  const { url, projectId, claimToken } = published.json.data;
  await readBack(crowd, url, [word]);

  const keys = await Promise.all([signedIn(crowd), signedIn(crowd)]);
  const apiKey = await claimByBoth(crowd, keys, claimToken);
  const site = { url, projectId, apiKey, etag: '', visits: 1, opens: 0 };
  crowd.sites.push(site);

  const words = await pushAtOnce(crowd, site);
  site.visits += 1;
  await readBack(crowd, url, words);
  const people = Array.from({ length: visitors }, () => somebody());
  await Promise.all(people.map((from) => visitAndOpen(crowd, site, from)));
}

function signedIn({ service, findings }: Crowd): Promise<string> {
  return measured(findings, 'sign-in', () => signIn(undefined, service));
}

/** Two accounts claim one project at the same time: exactly one has it afterwards. */
async function claimByBoth(crowd: Crowd, keys: readonly string[], token: string): Promise<string> {
  const answers = await Promise.all(
    keys.map((key) => measured(crowd.findings, 'claim', () => claim(crowd.service, key, token))),
  );
  const winners = keys.filter((_, at) => answers[at]?.status === 200);
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  if (statuses.join() !== '200,404' && statuses.join() !== '200,409') {
    crowd.findings.problem(`two claims of one project were answered with ${statuses.join()}`);
  }
  const [winner] = winners;
  if (winner === undefined) throw new Error('nobody could claim');
  return winner;
}

/** Pushes several versions at once. Returns the word of the one that must be live: the newest. */
async function pushAtOnce(crowd: Crowd, { apiKey, projectId }: Site): Promise<string[]> {
  const { service } = crowd;
  const words = Array.from({ length: pushes }, () => randomUUID());
  const answers = await Promise.all(
    words.map((word) =>
      timed(crowd, 'push', 200, () => push(apiKey, projectId, [aPage(word)], { service })),
    ),
  );
  const versions = answers.map(({ json }) => Number(json.data.deploymentId.slice('dep_v'.length)));
  const wanted = Array.from({ length: pushes }, (_, at) => at + 2);
  if (versions.toSorted((a, b) => a - b).join() !== wanted.join()) {
    crowd.findings.problem(`${pushes} pushes at once became versions ${versions.join()}`);
  }
  const newest = Math.max(...versions);
  const kept = await history(apiKey, projectId, service);
  const expected = [
    `${newest} active`,
    ...wanted
      .toReversed()
      .slice(1)
      .map((one) => `${one} ready`),
  ];
  if (kept.slice(0, pushes).join() !== expected.join()) {
    crowd.findings.problem(`after ${pushes} pushes at once the versions are ${kept.join()}`);
  }
  return words.filter((_, at) => versions[at] === newest);
}

async function visitAndOpen(crowd: Crowd, site: Site, from: string): Promise<void> {
  await timed(crowd, 'page, of a crowd', 200, () => look(site.url, { from }));
  site.visits += 1;
  await timed(crowd, 'open', 204, () => open(site.url, { from }));
  site.opens += 1;
}

/** The next request must show what was written. */
async function readBack(crowd: Crowd, url: string, words: readonly string[]): Promise<void> {
  const { text } = await timed(crowd, 'page, read back', 200, () =>
    look(url, { from: somebody() }),
  );
  if (!words.some((word) => text.includes(word))) {
    crowd.findings.problem('a page does not show what was published last');
  }
}

async function timed(
  { findings }: Crowd,
  kind: string,
  status: number,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await measured(findings, kind, send);
  if (answer.status === status) return answer;
  findings.problem(`${kind} was answered with ${answer.status}`);
  throw new Error(`${kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
}

async function measured<T>(findings: Findings, kind: string, send: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await send();
  findings.answered(kind, performance.now() - startedAt);
  return result;
}
