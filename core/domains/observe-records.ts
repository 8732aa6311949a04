import type { DomainRecord } from '../../contract/domain.ts';
import type { StoredDomain } from './domain.ts';
import { isSameOrBeneath, namesUpFrom } from './domain-name.ts';
import { judgeRecord, judgeRoot, type RecordSighting } from './judge-record.ts';
import type { Dns, DnsAnswer, DnsAuthority, DnsLook, DnsType, DnsView } from './ports.ts';
import {
  proofName,
  proofText,
  type RecordTargets,
  type RequiredRecord,
  requiredRecords,
} from './required-records.ts';

/** The records of a domain as DNS has them now, and whether its own servers carry the proof. */
export interface ObservedRecords {
  records: DomainRecord[];
  /** `unknown` also if a public resolver does not see yet what the zone's own servers show. */
  proof: 'present' | 'absent' | 'unknown';
  /**
   * Whether the registered domain delegates the name to other servers; undefined if no server
   * answers.
   */
  isDelegated: boolean | undefined;
}

/** Queries every record of a domain, at the zone's own servers and at public resolvers. */
export async function observeRecords(
  dns: Dns,
  domain: Pick<
    StoredDomain,
    'id' | 'accountId' | 'name' | 'zone' | 'validation' | 'rootProjectId' | 'certificateRefusal'
  >,
  targets: RecordTargets,
): Promise<ObservedRecords> {
  const look = dns.look();
  const authority = await look.authority(domain.name);
  const needed = requiredRecords(domain, targets);
  const hasRoot = domain.rootProjectId !== null;
  const [edge, ...sightings] = await Promise.all([
    hasRoot ? addressesOfEdge(look, targets.routingEndpoint) : [],
    ...needed.map((record) => sight({ look, authority, domain }, record)),
  ]);
  const text = proofText(domain, targets.baseUrl);
  const [ownership] = sightings;
  const proof =
    ownership === undefined ? 'unknown' : proofIn(ownership.authority, ownership.resolvers, text);
  const context = {
    domain: domain.name,
    sitesTargets: [targets.sitesTarget, targets.routingEndpoint],
    proven: proof === 'present',
    certificateRefusal: domain.certificateRefusal,
  };
  const records = needed.map((record, index) => {
    const sighting = sightings[index];
    if (sighting === undefined) throw new Error('a record was not looked at');
    return record.purpose === 'root'
      ? judgeRoot(record, sighting.authority, {
          addresses: edge,
          endpoint: targets.routingEndpoint,
        })
      : judgeRecord(record, sighting, context);
  });
  return { records, proof, isDelegated: isDelegated(authority.zone, domain.zone) };
}

function isDelegated(found: string | undefined, registered: string): boolean | undefined {
  if (found === undefined) return undefined;
  return found !== registered && isSameOrBeneath(found, registered);
}

/** Whether the zone's own servers carry an account's proof for a name now, and others see it. */
export async function observeProof(
  dns: Dns,
  domain: Pick<StoredDomain, 'accountId' | 'name'>,
  baseUrl: string,
): Promise<ObservedRecords['proof']> {
  const look = dns.look();
  const authority = await look.authority(domain.name);
  const [answer, ...others] = await Promise.all(
    [authority, ...look.resolvers].map((view) => view.ask(proofName(domain.name), 'TXT')),
  );
  if (answer === undefined) return 'unknown';
  return proofIn(answer, others, proofText(domain, baseUrl));
}

/**
 * The proof as both sides see it. One that only the zone's own servers show must not take a name
 * from its holder: public resolvers must see it too.
 */
function proofIn(
  authority: DnsAnswer,
  resolvers: readonly DnsAnswer[],
  proof: string,
): ObservedRecords['proof'] {
  if (authority.kind === 'failed') return 'unknown';
  if (!valuesOf(authority).includes(proof)) return 'absent';
  return resolvers.some((answer) => valuesOf(answer).includes(proof)) ? 'present' : 'unknown';
}

interface Observer {
  look: DnsLook;
  authority: DnsAuthority;
  domain: Pick<StoredDomain, 'id' | 'name'>;
}

async function sight(observer: Observer, record: RequiredRecord): Promise<RecordSighting> {
  const { look, authority, domain } = observer;
  const name = lookupName(record, domain);
  const type: DnsType = record.type === 'ALIAS' ? 'A' : record.type;
  const [caaForbids, own, ...others] = await Promise.all([
    record.purpose === 'certificate' ? forbiddingCaa(authority, domain.name) : undefined,
    ...[authority, ...look.resolvers].map((view) => view.ask(name, type)),
  ]);
  const sighting: RecordSighting = {
    authority: own ?? { kind: 'failed', reason: 'unreachable' },
    resolvers: others,
    isAppended: false,
    addresses: [],
    servers: authority.servers,
    caaForbids,
  };
  const { kind } = sighting.authority;
  const isRight = valuesOf(sighting.authority).includes(record.value ?? '');
  if (kind === 'failed' || isRight || record.purpose === 'root') return sighting;
  const appended = await authority.ask(`${name}.${domain.name}`, type);
  // Compared by value, because a wildcard record answers for every name with its own value.
  const isAppended = valuesOf(appended).includes(record.value ?? '');
  const addresses = kind === 'none' ? await addressesAt(authority, name) : [];
  return { ...sighting, isAppended, addresses };
}

/** The addresses that visitors get for our target now, as each resolver sees it. */
async function addressesOfEdge({ resolvers }: DnsLook, target: string): Promise<string[]> {
  const answers = await Promise.all(resolvers.map((view) => view.ask(target, 'A')));
  return answers.flatMap(valuesOf);
}

/** Queried only if a record is missing. */
async function addressesAt(authority: DnsView, name: string): Promise<string[]> {
  const answers = await Promise.all([authority.ask(name, 'A'), authority.ask(name, 'AAAA')]);
  return answers.flatMap(valuesOf);
}

/** Names for a wildcard record are looked up through a name that nobody uses. */
function lookupName({ name, purpose }: RequiredRecord, { id, name: domain }: Observer['domain']) {
  return purpose === 'sites' || name === null ? `slipway-check-${id.slice(0, 8)}.${domain}` : name;
}

function valuesOf(answer: DnsAnswer): readonly string[] {
  return answer.kind === 'found' ? answer.values : [];
}

/** The names with which Amazon may issue (AWS Certificate Manager, "Configure a CAA record"). */
const amazonIssuers = new Set(['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']);

/**
 * The issuers that CAA allows instead of Amazon; undefined where Amazon may issue (RFC 8659: the
 * nearest name with CAA records decides; `issuewild` replaces `issue` for wildcards).
 */
async function forbiddingCaa(authority: DnsView, name: string) {
  const answers = await Promise.all(namesUpFrom(name).map((one) => authority.ask(one, 'CAA')));
  return issuersInsteadOfAmazon(answers.map(valuesOf));
}

/** The same of the CAA values of a name and of those above it, nearest first. */
export function issuersInsteadOfAmazon(
  valuesUpwards: readonly (readonly string[])[],
): string[] | undefined {
  const values = valuesUpwards.find(({ length }) => length > 0) ?? [];
  return forbidden(values, 'issue') ?? forbidden(values, 'issuewild');
}

/** CAA values as `<tag> <value>`. */
function forbidden(values: readonly string[], tag: string): string[] | undefined {
  const allowed = values
    .filter((value) => value.startsWith(`${tag} `))
    .map((value) => (value.slice(tag.length + 1).split(';')[0] ?? '').trim().toLowerCase());
  if (allowed.length === 0 || allowed.some((issuer) => amazonIssuers.has(issuer))) return undefined;
  return allowed.filter((issuer) => issuer !== '');
}
