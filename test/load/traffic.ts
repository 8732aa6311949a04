import autocannon from 'autocannon';
import type { Findings } from './findings.ts';
import type { Site } from './sites.ts';
import { firefox } from '../fixtures/visits/hits.ts';

/** How long one round at one site takes, about. */
const roundSeconds = 4;
const connections = 2;
const unavailable = 503;

interface Kind {
  name: string;
  status: number;
  /** Whether each of these answers counts as a visit of the site. */
  isVisit: boolean;
  request(site: Site): { path: string; headers: Record<string, string> };
}

const page = {
  'user-agent': firefox,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
};

const part = { 'user-agent': firefox, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' };

const kinds: readonly Kind[] = [
  {
    name: 'page',
    status: 200,
    isVisit: true,
    request: () => ({ path: '/', headers: { ...page, 'accept-encoding': 'br' } }),
  },
  {
    name: 'page, 304',
    status: 304,
    isVisit: true,
    request: ({ etag }) => ({ path: '/', headers: { ...page, 'if-none-match': etag } }),
  },
  {
    name: 'asset',
    status: 200,
    isVisit: false,
    request: () => ({ path: '/style.css', headers: part }),
  },
];

/**
 * Visits these sites with autocannon until the time is over, each kind of request on connections of
 * its own. A round ends with its last answer, so all requests are answered and can be counted.
 */
export async function visitSites(sites: readonly Site[], until: Date, findings: Findings) {
  await Promise.all(kinds.map((kind) => visitByKind(kind, sites, until, findings)));
}

async function visitByKind(
  kind: Kind,
  sites: readonly Site[],
  until: Date,
  findings: Findings,
): Promise<void> {
  let amount = connections * 10;
  for (let round = 0; Date.now() < until.getTime(); round += 1) {
    const site = sites[round % sites.length];
    if (site === undefined) return;
    const seconds = await playRound(kind, site, amount, findings);
    amount = Math.max(connections, Math.round((amount / seconds) * roundSeconds));
  }
}

/** Sends so many requests and resolves with the seconds that they took. */
async function playRound(kind: Kind, site: Site, amount: number, findings: Findings) {
  const { origin, port, host } = new URL(site.url);
  const { path, headers } = kind.request(site);
  const options = {
    url: `http://127.0.0.1:${port}`,
    connections,
    amount,
    timeout: 30,
    sampleInt: 100,
    requests: [{ method: 'GET' as const, path, headers: { ...headers, host } }],
  } satisfies autocannon.Options;
  let answered = 0;
  const { errors, timeouts, duration } = await play(options, (status, milliseconds) => {
    answered += 1;
    findings.answered(kind.name, milliseconds);
    if (status === unavailable) {
      findings.refused();
      if (kind.isVisit) site.counts.uncertainVisits += 1;
    } else if (status !== kind.status) findings.problem(`${kind.name} was answered with ${status}`);
    else if (kind.isVisit) site.counts.visits += 1;
  });
  if (errors + timeouts > 0) findings.problem(`${kind.name} of ${origin} was not answered`);
  if (answered !== amount) {
    findings.problem(`${amount} requests of ${kind.name} had ${answered} answers`);
  }
  return Math.max(duration, 0.1);
}

function play(
  options: autocannon.Options,
  onAnswer: (status: number, milliseconds: number) => void,
): Promise<autocannon.Result> {
  return new Promise((resolve, reject) => {
    const round = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    round.on('response', (_, status, __, milliseconds) => onAnswer(status, milliseconds));
  });
}
