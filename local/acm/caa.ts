import type { LookUpResult } from '../dns/lookup.ts';

/** The names by which a CAA record allows Amazon's certificate authorities. */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];

/**
 * Whether the CAA records allow Amazon to issue for a name. The records of the nearest name count, up to the
 * top level (RFC 8659, section 3). `issuewild` replaces `issue` for a wildcard.
 */
export function isIssuanceAllowed(
  domain: string,
  lookUp: (name: string, type: string) => LookUpResult,
): boolean {
  const isWildcard = domain.startsWith('*.');
  const records = nearestRecords(isWildcard ? domain.slice(2) : domain, lookUp);
  const wild = records.filter(({ tag }) => tag === 'issuewild');
  const relevant =
    isWildcard && wild.length > 0 ? wild : records.filter(({ tag }) => tag === 'issue');
  if (relevant.length === 0) return true;
  return relevant.some(({ value }) => AMAZON.includes(issuerOf(value)));
}

/** Parameters follow the issuer after a semicolon; `;` alone forbids everybody. */
function issuerOf(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

function nearestRecords(name: string, lookUp: (name: string, type: string) => LookUpResult) {
  const labels = name.split('.');
  for (let depth = 0; depth < labels.length; depth++) {
    const { answers } = lookUp(labels.slice(depth).join('.'), 'CAA');
    const records = answers.flatMap((answer) => (answer.type === 'CAA' ? [answer.data] : []));
    if (records.length > 0) return records;
  }
  return [];
}
