import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file } from '../fixtures/clouds/client.ts';
import { CustomerDomain } from '../fixtures/domains/customer-domain.ts';
import type { Attack, Target } from './attack.ts';
import { invalidationsOf } from './pay-for-invalidations.ts';
import { publishFiles } from './publish-files.ts';

const accounts = 4;
/** Names for each account; its plan may have room for fewer. */
const names = 5;
/** Two rounds: a look ends after 8 seconds, and a run looks at sixteen domains at once. */
const allowedSeconds = 35;
/** After that the domains are due, and so is the second purge of a change. */
const dueAfterSeconds = 15 * 60;

/** Domains whose name servers let everybody wait, all of them due in the minute of somebody's purge. */
export const holdUpMaintenance: Attack = {
  title: 'Keep maintenance busy with domains whose name server never answers',
  async run(target) {
    const before = await invalidationsOf(target);
    if (before === undefined) {
      const attempt = 'skipped: only a local cloud has name servers that never answer';
      return { requests: 1, observed: [attempt], gained: [] };
    }
    const added = await Promise.all(Array.from({ length: accounts }, () => addDomains(target)));
    const domains = added.flat();
    if (domains.length === 0) throw new Error('No domain could be added.');
    await changeSite(target);
    const first = (await invalidationsOf(target)) ?? before;
    for (const domain of domains) await domain.configure({ isSilent: true });
    const seconds = await secondsOfMaintenance(target);
    const purges = ((await invalidationsOf(target)) ?? first) - first;
    for (const domain of domains) await domain.configure({ isSilent: false });
    const late = seconds > allowedSeconds;
    return {
      requests: domains.length * 3 + 8,
      observed: [
        `${domains.length} domains of ${accounts} accounts whose name server is silent: maintenance took ${seconds.toFixed(1)} s`,
        `the purge that was due in the same minute: ${purges > 0 ? 'done' : 'not done'}`,
      ],
      gained: [
        ...(late ? [`Maintenance takes ${seconds.toFixed(0)} s`] : []),
        ...(purges > 0 ? [] : ['A purge that was due is not done']),
      ],
    };
  },
};

/** As many as the plan has room for, before their servers fall silent. */
async function addDomains({ baseUrl, until }: Target): Promise<CustomerDomain[]> {
  const key = await signIn(anEmail(), baseUrl);
  const added: CustomerDomain[] = [];
  for (let count = 0; count < names && new Date() < until; count += 1) {
    const domain = new CustomerDomain(baseUrl, key);
    if (await domain.add().catch(() => undefined)) added.push(domain);
  }
  return added;
}

/** A change of a site that the edge keeps: one purge at once, and another when maintenance runs. */
async function changeSite({ baseUrl }: Target): Promise<void> {
  const key = await signIn(anEmail(), baseUrl);
  const files = [file('index.html', '<link rel="stylesheet" href="a.css">'), file('a.css', 'p{}')];
  const { projectId, url } = await publishFiles(key, baseUrl, files);
  await ask(`${url}/a.css`);
  await ask(`${baseUrl}/v1/projects/${projectId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ noIndex: true }),
  });
}

/** How long the run takes in which everything is due. */
async function secondsOfMaintenance({ baseUrl }: Target): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await ask(`${baseUrl}/_local/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: dueAfterSeconds }),
  });
  if (status !== 200) throw new Error(`The clock was not moved: ${text}`);
  return (performance.now() - startedAt) / 1000;
}
