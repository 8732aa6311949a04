import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file, somebody } from '../fixtures/clouds/client.ts';
import type { Attack, Target } from './attack.ts';
import { publishFiles } from './publish-files.ts';

/** ZIPs that one address may begin in a minute, of all projects together. */
const allowed = 10;
const wanted = 30;
const projects = 3;

/** Downloads ZIPs of several projects: a limit for each project was none. */
export const keepFunctionsBusy: Attack = {
  title: 'Keep functions busy with downloads of several projects, so that others wait',
  async run(target) {
    const urls = await publishLists(target);
    const begunIn = minuteOf(new Date());
    const { sent, requested } = await download(urls, target);
    const minutes = minuteOf(new Date()) - begunIn + 1;
    return {
      requests: requested + urls.length + 1,
      observed: [
        `${sent} of ${requested} ZIPs of ${urls.length} projects were sent to one address`,
      ],
      gained:
        sent > allowed * minutes
          ? [`${sent} downloads kept functions busy in ${minutes} minute(s)`]
          : [],
    };
  },
};

async function publishLists({ baseUrl }: Target): Promise<string[]> {
  const key = await signIn(anEmail(), baseUrl);
  const urls: string[] = [];
  for (let at = 0; at < projects; at += 1) {
    const files = [file('a.txt', `${at}`), file('b.txt', 'b')];
    urls.push((await publishFiles(key, baseUrl, files)).url);
  }
  return urls;
}

async function download(urls: readonly string[], { until }: Target) {
  const from = somebody();
  let [sent, requested] = [0, 0];
  while (requested < wanted && new Date() < until) {
    const { status } = await ask(`${urls[requested % urls.length]}/_slipway/zip`, { from });
    requested += 1;
    if (status === 200) sent += 1;
  }
  return { sent, requested };
}

function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}
