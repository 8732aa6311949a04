import { randomUUID } from 'node:crypto';
import { anEmail, codeSentTo, get, post } from '../fixtures/accounts/accounts.ts';
import { type Answer, somebody, publishTo } from '../fixtures/clouds/client.ts';
import { push } from '../fixtures/projects/versions.ts';
import { look, open } from '../fixtures/visits/opens.ts';
import type { Findings } from './findings.ts';
import { aPage, claim, type Site } from './sites.ts';
import { untilAvailable } from './until-available.ts';

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
      if (error instanceof UnavailableError) continue;
      crowd.findings.problem(`a journey ended early: ${String(error)}`);
    }
  }
}

/** A write was answered with 503: whether it was made is not known, and the journey ends. */
class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

async function playJourney(crowd: Crowd): Promise<void> {
  const { service } = crowd;
  const word = randomUUID();
  const published = await timed(crowd, 'publish', 200, () => publishTo(service, [aPage(word)]));
  const { url, projectId, claimToken } = published.json.data;
  const counts = { visits: 0, opens: 0, uncertainVisits: 0 };
  await readBack(crowd, { url, counts }, [word]);

  const keys = await Promise.all([signedIn(crowd), signedIn(crowd)]);
  const apiKey = await claimByBoth(crowd, keys, claimToken);
  const site = { url, projectId, apiKey, etag: '', counts };
  crowd.sites.push(site);

  const words = await pushAtOnce(crowd, site);
  await readBack(crowd, site, words);
  const people = Array.from({ length: visitors }, () => somebody());
  await Promise.all(people.map((from) => visitAndOpen(crowd, site, from)));
}

/** Signs in with a code from the inbox and returns the API key. */
async function signedIn(crowd: Crowd): Promise<string> {
  const { service } = crowd;
  const email = anEmail();
  await timed(crowd, 'sign-in, code', 200, () =>
    post('/v1/auth/otp/request', { email }, { service }),
  );
  const code = await codeSentTo(email, service);
  const { json } = await timed(crowd, 'sign-in', 200, () =>
    post('/v1/auth/otp/verify', { email, code }, { service }),
  );
  return json.data.apiKey;
}

/** Two accounts claim one project at the same time: exactly one has it afterwards. */
async function claimByBoth(crowd: Crowd, keys: readonly string[], token: string): Promise<string> {
  const answers = await Promise.all(
    keys.map((key) => measured(crowd.findings, 'claim', () => claim(crowd.service, key, token))),
  );
  requireAvailable(crowd.findings, answers);
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
      measured(crowd.findings, 'push', () => push(apiKey, projectId, [aPage(word)], { service })),
    ),
  );
  requireAvailable(crowd.findings, answers);
  for (const answer of answers) requireStatus(crowd.findings, 'push', 200, answer);
  const versions = answers.map(({ json }) => Number(json.data.deploymentId.slice('dep_v'.length)));
  const wanted = Array.from({ length: pushes }, (_, at) => at + 2);
  if (versions.toSorted((a, b) => a - b).join() !== wanted.join()) {
    crowd.findings.problem(`${pushes} pushes at once became versions ${versions.join()}`);
  }
  const newest = Math.max(...versions);
  const kept = await historyOf(crowd, apiKey, projectId);
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

async function historyOf(
  { service, findings }: Crowd,
  apiKey: string,
  projectId: string,
): Promise<string[]> {
  const answer = await untilAvailable(findings, () =>
    get(`/v1/projects/${projectId}/status`, apiKey, service),
  );
  requireStatus(findings, 'history', 200, answer);
  const versions: { version: number; status: string }[] = answer.json.data;
  return versions.map(({ version, status }) => `${version} ${status}`);
}

async function visitAndOpen(crowd: Crowd, site: Site, from: string): Promise<void> {
  await visit(crowd, site, 'page, of a crowd', from);
  await timed(crowd, 'open', 204, () => open(site.url, { from }));
  site.counts.opens += 1;
}

/** The next request must show what was written. */
async function readBack(
  crowd: Crowd,
  site: Pick<Site, 'url' | 'counts'>,
  words: readonly string[],
): Promise<void> {
  const { text } = await visit(crowd, site, 'page, read back', somebody());
  if (!words.some((word) => text.includes(word))) {
    crowd.findings.problem('a page does not show what was published last');
  }
}

/** Looks at a page until it is there; a visit that was answered with 503 may have been counted. */
async function visit(
  { findings }: Crowd,
  { url, counts }: Pick<Site, 'url' | 'counts'>,
  kind: string,
  from: string,
): Promise<Answer> {
  const answer = await untilAvailable(findings, async () => {
    const one = await measured(findings, kind, () => look(url, { from }));
    if (one.status === 503) counts.uncertainVisits += 1;
    return one;
  });
  requireStatus(findings, kind, 200, answer);
  counts.visits += 1;
  return answer;
}

async function timed(
  { findings }: Crowd,
  kind: string,
  status: number,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await measured(findings, kind, send);
  requireAvailable(findings, [answer]);
  return requireStatus(findings, kind, status, answer);
}

/** @throws UnavailableError if one of the answers is 503 */
function requireAvailable(findings: Findings, answers: readonly Answer[]): void {
  const refused = answers.filter((answer) => answer.status === 503);
  for (const { headers } of refused) {
    findings.refused();
    if (headers['retry-after'] === undefined)
      findings.problem('a 503 does not say when to try again');
  }
  if (refused.length > 0) throw new UnavailableError('503');
}

function requireStatus(findings: Findings, kind: string, status: number, answer: Answer): Answer {
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
