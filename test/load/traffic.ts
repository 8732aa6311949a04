import http from 'node:http';
import type { Findings } from './findings.ts';
import type { Site } from './sites.ts';
import { firefox } from '../fixtures/visits/hits.ts';

/** How long one round at one site takes, about. */
const roundSeconds = 4;
const connections = 2;
const answerMs = 30_000;
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
 * Visits these sites until the time is over, each kind of request on connections of its own. A round ends with its last answer, so all requests are answered and can be counted.
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
  const agent = new http.Agent({ keepAlive: true });
  const options = { host: '127.0.0.1', port, path, headers: { ...headers, host }, agent };
  const started = performance.now();
  let left = amount;
  const sendOneAfterAnother = async () => {
    while (left > 0) {
      left -= 1;
      const sent = performance.now();
      const status = await statusOf(options);
      if (status === undefined) findings.problem(`${kind.name} of ${origin} was not answered`);
      else note(status, performance.now() - sent);
    }
  };
  const note = (status: number, milliseconds: number) => {
    findings.answered(kind.name, milliseconds);
    if (status === unavailable) {
      findings.refused();
      if (kind.isVisit) site.counts.uncertainVisits += 1;
    } else if (status !== kind.status) findings.problem(`${kind.name} was answered with ${status}`);
    else if (kind.isVisit) site.counts.visits += 1;
  };
  await Promise.all(Array.from({ length: connections }, sendOneAfterAnother));
  agent.destroy();
  return Math.max((performance.now() - started) / 1000, 0.1);
}

/** The status of a response that has arrived completely; undefined if none did in time. */
function statusOf(options: http.RequestOptions): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.get({ ...options, timeout: answerMs }, (response) => {
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve(response.statusCode));
      response.resume();
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}
