import { randomUUID } from 'node:crypto';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file, publishTo } from '../fixtures/clouds/client.ts';
import { look } from '../fixtures/visits/opens.ts';

/** A project of an account, and what the run did to it. */
export interface Site {
  url: string;
  projectId: string;
  apiKey: string;
  /** Of its page. */
  etag: string;
  /** What its statistics must say in the end. */
  counts: Counts;
}

interface Counts {
  visits: number;
  opens: number;
  /** Visits that were answered with 503: whether they were counted is not known. */
  uncertainVisits: number;
}

const paragraph = '<p>Some words of a page that is long enough to be worth packing.</p>\n';

/** A page of 12 kB with this word in it, and its style sheet. */
export function aPage(word: string) {
  const head = `<!doctype html><title>Load</title><link rel="stylesheet" href="style.css"><h1>${word}</h1>\n`;
  return file('index.html', head + paragraph.repeat(Math.ceil(12_000 / paragraph.length)));
}

/** `POST /v1/projects/claim/{claimToken}`. */
export function claim(service: string, apiKey: string, token: string) {
  const headers = { authorization: `Bearer ${apiKey}` };
  return ask(`${service}/v1/projects/claim/${token}`, { method: 'POST', headers });
}

/** A project in an account of its own. */
export async function aSite(service: string): Promise<Site> {
  const apiKey = await signIn(undefined, service);
  const parts = [aPage(randomUUID()), file('style.css', 'h1 { color: teal }')];
  const published = await publishTo(service, parts);
  if (published.status !== 200) throw new Error(`not published: ${published.text}`);
  const { url, projectId, claimToken } = published.json.data;
  const claimed = await claim(service, apiKey, claimToken);
  if (claimed.status !== 200) throw new Error(`not claimed: ${claimed.text}`);
  const { status, headers } = await look(url);
  if (status !== 200) throw new Error(`not served: ${status}`);
  const counts = { visits: 1, opens: 0, uncertainVisits: 0 };
  return { url, projectId, apiKey, etag: String(headers.etag), counts };
}
