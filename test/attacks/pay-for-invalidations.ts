import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file } from '../fixtures/clouds/client.ts';
import type { Attack, Target } from './attack.ts';
import { publishFiles } from './publish-files.ts';

/** What one account may cause in an hour (decision 0141). */
const allowed = 45;
const rounds = 40;

/** Changes sites whose files the edge has: each change was an invalidation, which costs $0.005. */
export const payForInvalidations: Attack = {
  title:
    'Spend the money of the operator with changes, each of which the edge has to forget something for',
  async run(target) {
    const before = await invalidationsOf(target);
    if (before === undefined) {
      const attempt = 'skipped: only a local cloud shows the calls that it makes';
      return { requests: 1, observed: [attempt], gained: [] };
    }
    const changes = await changeSites(target);
    const made = ((await invalidationsOf(target)) ?? before) - before;
    return {
      requests: changes * 2 + 2,
      observed: [`${changes} changes made ${made} paid invalidations`],
      gained: made > allowed ? [`${made} paid invalidations by one account within an hour`] : [],
    };
  },
};

/** The invalidations that were paid for; undefined where the service does not show its calls. */
export async function invalidationsOf({
  baseUrl,
}: Pick<Target, 'baseUrl'>): Promise<number | undefined> {
  const { status, json } = await ask(`${baseUrl}/_local/calls`);
  if (status !== 200 || json === undefined) return undefined;
  const services: Record<string, number>[] = Object.values(json);
  return services
    .flatMap((calls) => Object.entries(calls))
    .filter(([name]) => name.includes('CreateInvalidation'))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Three sites in turn, so that no change waits for the purge of the one before. */
async function changeSites({ baseUrl, until }: Target): Promise<number> {
  const key = await signIn(anEmail(), baseUrl);
  const files = [file('index.html', '<link rel="stylesheet" href="a.css">'), file('a.css', 'p{}')];
  const sites = await Promise.all([1, 2, 3].map(() => publishFiles(key, baseUrl, files)));
  let changes = 0;
  const change = async ({ projectId, url }: { projectId: string; url: string }) => {
    await ask(`${url}/a.css`);
    const { status } = await ask(`${baseUrl}/v1/projects/${projectId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ noIndex: changes % 2 === 0 }),
    });
    if (status === 200) changes += 1;
  };
  for (let round = 0; round < rounds && new Date() < until; round += 1) {
    await Promise.all(sites.map(change));
  }
  return changes;
}
