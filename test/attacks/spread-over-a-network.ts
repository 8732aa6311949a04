import { randomBytes } from 'node:crypto';
import { ask } from '../fixtures/clouds/client.ts';
import type { Attack, Target } from './attack.ts';
import { askForCode, readMail, victim } from './sign-in-requests.ts';

/** What the service promises: mails with codes that an IPv6 /48 asks for in an hour (decision 0136). */
const allowed = 50;
/** One caller, a /64, may ask for 10: only the limit of its network can refuse any of these. */
const requestsOfCaller = 2;
const callers = 40;

/** Whoever has an IPv6 /48 asks from another of its 65,536 networks as soon as one is known. */
export const spreadOverANetwork: Attack = {
  title: 'Send mails to many addresses from the many /64s of one /48',
  async run(target) {
    const clock = await ask(`${target.baseUrl}/_local/clock`);
    if (clock.status !== 200) {
      const attempt = 'skipped: only a local cloud can be asked from addresses that are not ours';
      return { requests: 1, observed: [attempt], gained: [] };
    }
    const network = aNetwork();
    let [requests, mails, refused] = [0, 0, 0];
    for (; requests < callers * requestsOfCaller && new Date() < target.until; requests += 1) {
      const from = `${network}:${(requests % callers).toString(16)}::1`;
      if (await getsMail(target, from)) mails += 1;
      else refused += 1;
    }
    const others = await getsMail(target, `${aNetwork()}:1::1`);
    return {
      requests: requests + 2,
      observed: [
        `${mails} of ${requests} mails were sent, at most ${requestsOfCaller} for each of ${callers} /64s; ${refused} requests were refused for their /48`,
        `somebody in another /48: ${others ? 'got a mail' : 'got none'}`,
      ],
      gained: [
        ...(mails > allowed ? [`${mails} mails, where a /48 gets ${allowed} in an hour`] : []),
        ...(others ? [] : ['Another network gets no codes any more']),
      ],
    };
  },
};

/** The first three groups of a /48 of its own. */
function aNetwork(): string {
  return `2001:db8:${randomBytes(2).readUInt16BE().toString(16)}`;
}

/** Whether a request for a code to an address that nobody asked for before was followed by its mail. */
async function getsMail(target: Target, from: string): Promise<boolean> {
  const email = victim();
  await askForCode(target, email, from);
  return ((await readMail(target, email))?.code ?? '') !== '';
}
