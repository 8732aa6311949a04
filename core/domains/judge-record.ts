import type { DomainRecord } from '../../contract/domain.ts';
import { describeDuration } from '../../contract/limits.ts';
import type { StoredDomain } from './domain.ts';
import type { DnsAnswer } from './ports.ts';
import { proofPrefix, type RequiredRecord, uncheckedRecord } from './required-records.ts';

/** The answers of DNS about one record. */
export interface RecordSighting {
  /** The answer of the zone's own servers. */
  authority: DnsAnswer;
  /** The answers of the public resolvers. */
  resolvers: readonly DnsAnswer[];
  /** Whether the record exists under its name with the domain appended once more. */
  isAppended: boolean;
  /** Addresses at the name, where it has no alias. */
  addresses: readonly string[];
  /** The names of the zone's own servers. */
  servers: readonly string[];
  /** The certificate authorities that CAA records allow, if Amazon is not among them. */
  caaForbids: readonly string[] | undefined;
}

/** The domain of the records that are judged. */
interface JudgeContext extends Pick<StoredDomain, 'proven' | 'certificateRefusal'> {
  domain: string;
  sitesTargets: readonly string[];
}

type Verdict = Pick<DomainRecord, 'state' | 'hint'>;

/**
 * Compares what DNS says with the record that is needed, and names the likely mistake. Pure.
 * @param sitesTargets the names to which the wildcard record may point
 */
export function judgeRecord(
  needed: RequiredRecord,
  sighting: RecordSighting,
  { domain, sitesTargets, ...waiting }: JudgeContext,
): DomainRecord {
  const { name, value } = needed;
  if (name === null || value === null) {
    const { caaForbids } = sighting;
    if (caaForbids === undefined) return uncheckedRecord(needed, waiting);
    return { ...needed, found: [], ...wrong(hints.caa(domain, caaForbids)) };
  }
  const known = { ...needed, name, value, domain, sitesTargets };
  return { ...needed, found: foundTexts(sighting), ...verdict(known, sighting) };
}

type KnownRecord = RequiredRecord & {
  name: string;
  value: string;
  domain: string;
  sitesTargets: readonly string[];
};

function verdict(needed: KnownRecord, sighting: RecordSighting): Verdict {
  const { authority, resolvers } = sighting;
  if ([authority, ...resolvers].some(isBrokenDnssec)) return wrong(hints.dnssec);
  if (needed.purpose === 'certificate' && sighting.caaForbids !== undefined)
    return wrong(hints.caa(needed.domain, sighting.caaForbids));
  if (authority.kind === 'failed') return { state: 'unknown', hint: hints.unreachable };
  if (authority.kind === 'found' && isRight(needed, authority)) return spread(needed, sighting);
  return mistake(needed, sighting, authority);
}

function isBrokenDnssec(answer: DnsAnswer): boolean {
  return answer.kind === 'failed' && answer.reason === 'dnssec';
}

function isRight(
  { purpose, value, sitesTargets }: KnownRecord,
  { values }: Extract<DnsAnswer, { kind: 'found' }>,
) {
  const right = purpose === 'sites' ? sitesTargets : [value];
  return values.some((one) => right.some((name) => one.toLowerCase() === name.toLowerCase()));
}

/**
 * The verdict for a record that the zone has: whether all resolvers that answer see it, and at
 * least one answers.
 */
function spread(needed: KnownRecord, { resolvers }: RecordSighting): Verdict {
  const others = resolvers.filter(
    (answer) => !(answer.kind === 'found' && isRight(needed, answer)),
  );
  const late = others.flatMap((answer) => (answer.kind === 'failed' ? [] : [answer.ttl]));
  if (late.length === 0 && others.length === resolvers.length)
    return { state: 'spreading', hint: hints.unseen };
  if (late.length === 0) return { state: 'ok', hint: null };
  return { state: 'spreading', hint: hints.spreading(Math.max(...late)) };
}

function mistake(
  needed: KnownRecord,
  sighting: RecordSighting,
  authority: Exclude<DnsAnswer, { kind: 'failed' }>,
): Verdict {
  const values = authority.kind === 'found' ? authority.values : [];
  const aliases = authority.kind === 'found' ? authority.aliases : [];
  if (needed.type === 'TXT') return textMistake(needed, sighting, { values, aliases });
  const [target] = values;
  if (target !== undefined) return aliasMistake(needed, sighting, target);
  if (sighting.addresses.length > 0 && needed.purpose === 'sites')
    return wrong(isProxied(sighting) ? hints.proxied : hints.address(sighting.addresses));
  return absent(needed, sighting);
}

function textMistake(
  needed: KnownRecord,
  sighting: RecordSighting,
  { values, aliases }: { values: readonly string[]; aliases: readonly string[] },
): Verdict {
  if (values.some((text) => text.startsWith(proofPrefix))) return wrong(hints.oldText);
  const [alias] = aliases;
  if (alias !== undefined && !needed.sitesTargets.includes(alias))
    return wrong(hints.shadowed(alias));
  return absent(needed, sighting);
}

function aliasMistake(needed: KnownRecord, sighting: RecordSighting, target: string): Verdict {
  if (target === `${needed.value}.${needed.domain}`) return wrong(hints.appendedValue);
  if (needed.purpose === 'certificate') {
    // The correct wildcard record answers for every name that does not exist yet, so the record is
    // absent.
    if (needed.sitesTargets.includes(target)) return absent(needed, sighting);
    return wrong(hints.shadowed(target));
  }
  return wrong(hints.wrongTarget(target));
}

function absent(needed: KnownRecord, { isAppended }: RecordSighting): Verdict {
  if (isAppended) return wrong(hints.appendedName(needed));
  return { state: 'missing', hint: hints.missing };
}

/** Cloudflare answers with its own addresses instead of the alias while its proxy is on. */
function isProxied({ servers }: RecordSighting): boolean {
  return servers.some((server) => server.endsWith('.ns.cloudflare.com'));
}

function foundTexts({ authority, addresses }: RecordSighting): string[] {
  if (authority.kind !== 'found') return shown(addresses);
  return shown([...new Set([...authority.values, ...authority.aliases, ...addresses])]);
}

/**
 * The most values of a record that are stored: the owner of a zone may answer with a megabyte of
 * names, and a domain with its records is one row.
 */
const mostShown = 10;
/** The longest DNS name; no record of ours has a longer value. */
const longestShown = 255;

function shown(values: readonly string[]): string[] {
  return values.slice(0, mostShown).map((value) => value.slice(0, longestShown));
}

function wrong(hint: string): Verdict {
  return { state: 'wrong', hint };
}

const hints = {
  missing: 'There is no record with this name yet. New records can take some minutes to appear.',
  unreachable:
    'The DNS servers of this domain do not answer. Check at your registrar which servers the domain uses.',
  dnssec:
    'DNSSEC is broken: resolvers refuse the answers of this domain. Correct or remove the DS record at your registrar.',
  unseen:
    'Your DNS servers have the record, but no public resolver answers for it yet. It is looked for again soon.',
  spreading: (ttl: number) =>
    `Your DNS servers have the record. Some resolvers still remember the earlier answer, for up to ${describeDuration(Math.max(1, ttl))}.`,
  oldText:
    'This text belongs to an earlier setup or to another account. Replace it with the value given here.',
  shadowed: (target: string) =>
    `Another record answers for this name and points to ${target}. It is probably a wildcard. Create exactly this record; it takes precedence over the wildcard.`,
  appendedValue:
    'Your DNS provider appended the domain to the value. Write the value with a dot at its end.',
  appendedName: ({ name, domain }: KnownRecord) =>
    `Your DNS provider appended the domain to the name: the record exists as ${name}.${domain}. Enter only ${name.slice(0, -domain.length - 1)} as the name.`,
  wrongTarget: (target: string) =>
    `The record points to ${target}. Change it to the value given here.`,
  proxied:
    'The proxy of your DNS provider is switched on for this record. Switch it off (“DNS only”), so that the record itself is visible.',
  address: (addresses: readonly string[]) =>
    `A or AAAA records (${shown(addresses).join(', ')}) are in the way. Remove them; a CNAME record must be the only one of its name.`,
  caa: (domain: string, issuers: readonly string[]) =>
    `CAA records of ${domain} allow certificates only from ${shown(issuers).join(', ') || 'nobody'}. Add CAA records with the tags issue and issuewild and the value amazon.com.`,
};

const rootHints = {
  missing: (endpoint: string) =>
    `Optional, for the bare domain: create an ALIAS or ANAME record, or a flattened CNAME, if your DNS provider offers one. Amazon Route 53 takes only CloudFront's own name here: create an alias to ${endpoint}.`,
  unreachable:
    'The DNS servers of this domain do not answer. Check at your registrar which servers the domain uses.',
  others: (addresses: readonly string[], target: string) =>
    `The bare domain has addresses (${addresses.join(', ')}) that ${target} does not have now. If you set A records by hand, replace them with an ALIAS or ANAME record to ${target}: its addresses change. With such a record, nothing is to do; addresses differ from place to place.`,
};

/**
 * The record of the bare name. Pure. It is optional, and many providers answer with addresses
 * instead of an alias, so only addresses can be compared.
 * @param edge the addresses of the target that resolvers see now, and its name at CloudFront
 */
export function judgeRoot(
  record: RequiredRecord,
  answer: DnsAnswer,
  edge: { addresses: readonly string[]; endpoint: string },
): DomainRecord {
  if (answer.kind === 'failed')
    return { ...record, found: [], state: 'unknown', hint: rootHints.unreachable };
  if (answer.kind === 'none')
    return { ...record, found: [], state: 'missing', hint: rootHints.missing(edge.endpoint) };
  const { values, aliases } = answer;
  const found = shown([...aliases, ...values]);
  const target = record.value ?? '';
  const isOurs =
    [target, edge.endpoint].some((name) => aliases.includes(name)) ||
    values.some((address) => edge.addresses.includes(address));
  if (isOurs) return { ...record, found, state: 'ok', hint: null };
  return { ...record, found, state: 'unknown', hint: rootHints.others(found, target) };
}
