import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { ask } from '../fixtures/clouds/client.ts';
import { CustomerDomain } from '../fixtures/domains/customer-domain.ts';
import type { Attack, Target } from './attack.ts';

/** Each is added and checked, and the service looks fifteen times in a minute for an account. */
const inventions = 7;

/** A trial account adds and removes names that are not its own: ACM counts each request for a year. */
export const useUpCertificates: Attack = {
  title: 'Use up the certificates of the installation with names that nobody proved',
  async run(target) {
    const before = await certificatesOf(target);
    if (before === undefined) {
      const attempt = 'skipped: only a local cloud shows the certificates of its ACM';
      return { requests: 1, observed: [attempt], gained: [] };
    }
    const key = await signIn(anEmail(), target.baseUrl);
    const { requests, added, requested } = await inventNames(target, key, before);
    return {
      requests,
      observed: [`${added} names added without proof: ${requested} certificates requested`],
      gained: requested > 0 ? ['Certificates are requested for names without proof'] : [],
    };
  },
};

/** The certificates that exist; undefined where the service does not show them. */
async function certificatesOf({ baseUrl }: Target): Promise<number | undefined> {
  const answer = await ask(`${baseUrl}/_local/state`);
  const { certificates } = answer.json?.domains ?? answer.json ?? {};
  return answer.status === 200 && Array.isArray(certificates) ? certificates.length : undefined;
}

async function inventNames(target: Target, key: string, before: number) {
  const names: CustomerDomain[] = [];
  let known = before;
  let requested = 0;
  while (names.length < inventions && new Date() < target.until) {
    const domain = new CustomerDomain(target.baseUrl, key);
    await domain.add();
    await domain.check();
    const count = (await certificatesOf(target)) ?? known;
    requested += Math.max(0, count - known);
    await domain.remove();
    known = (await certificatesOf(target)) ?? count;
    names.push(domain);
  }
  return { requests: names.length * 5 + 1, added: names.length, requested };
}
