import { randomUUID } from 'node:crypto';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { file, somebody } from '../fixtures/clouds/client.ts';
import { hitsOf, look, outcomesOf, whenCounted } from '../fixtures/visits/opens.ts';
import type { Attack, Target } from './attack.ts';
import { publishFiles } from './publish-files.ts';

/** What one visitor may add to a plan, of one project in one hour. */
const allowed = 60;
const wanted = 400;
const atOnce = 10;

/** Asks for pages as fast as they come, under another name each time. */
export const restAnAccount: Attack = {
  title: 'One visitor uses up the monthly visits of an account, so that all its projects rest',
  async run({ baseUrl, until }) {
    const key = await signIn(anEmail(), baseUrl);
    const { projectId, url } = await publishFiles(key, baseUrl, [
      file('index.html', '<h1>Harbour</h1>'),
    ]);
    const begunIn = hourOf(new Date());
    const sent = await flood(url, { baseUrl, until });
    const { visits } = await whenCounted(
      key,
      projectId,
      (data) => data.visits.total >= sent,
      baseUrl,
    );
    const outcomes = outcomesOf(await hitsOf(key, projectId, '?limit=5000', baseUrl));
    const excess = outcomes.filter((outcome) => outcome === 'excess').length;
    const counted = visits.total - excess;
    const hours = hourOf(new Date()) - begunIn + 1;
    return {
      requests: sent,
      observed: [
        `${visits.total} visits of the project, of which ${counted} count for the plan and ${excess} are in excess`,
      ],
      gained:
        counted > allowed * hours
          ? [`${counted} visits of the plan were used up from one IP address in ${hours} hour(s)`]
          : [],
    };
  },
};

/** Pages of one visitor's, who calls itself another browser each time; gives how many came. */
async function flood(url: string, { until }: Target): Promise<number> {
  const from = somebody();
  let sent = 0;
  while (sent < wanted && new Date() < until) {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, () =>
        look(url, {
          from,
          headers: {
            'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${randomUUID()} Firefox/140.0`,
          },
        }),
      ),
    );
    sent += answers.filter(({ status }) => status === 200).length;
  }
  return sent;
}

function hourOf(at: Date): number {
  return Math.floor(at.getTime() / 3_600_000);
}
