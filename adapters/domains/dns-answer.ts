import type { Answer, DecodedPacket } from 'dns-packet';
import type { DnsAnswer, DnsType } from '../../core/domains/ports.ts';

/** A decoded reply; the types of the package leave its response code out. */
export type Reply = DecodedPacket & { rcode?: string };

/**
 * The default TTL of a missing name, in seconds: most resolvers cache it for no longer (RFC 9077
 * lets the SOA decide).
 */
const defaultNegativeTtl = 300;

/**
 * The types for which an alias is followed to its target: addresses, and CAA (RFC 8659 §3). A
 * delegation, a proof or an alias counts only at the queried name itself, because the owner of an
 * alias's target must not decide about the alias.
 */
const followed: ReadonlySet<string> = new Set(['A', 'AAAA', 'CAA']);

/**
 * Reads the answer to a question from a reply. A missing name and a name without this type are the
 * same here.
 */
export function readAnswer(
  reply: Reply,
  { name, type }: { name: string; type: DnsType },
): DnsAnswer {
  if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN')
    return { kind: 'failed', reason: 'unreachable' };
  const answers = reply.answers ?? [];
  const aliases = aliasesFrom(answers, name);
  const owners = new Set([name.toLowerCase(), ...(followed.has(type) ? aliases : [])]);
  const values = answers
    .filter((one) => one.type === type && owners.has(withoutDot(one.name)))
    .flatMap(textsOf);
  const isAlias = type !== 'CNAME' && aliases.length > 0;
  if (values.length === 0 && !isAlias) return { kind: 'none', ttl: negativeTtl(reply) };
  const ttl = Math.min(...answers.map((one) => ('ttl' in one ? (one.ttl ?? 0) : 0)));
  return { kind: 'found', values, aliases: type === 'CNAME' ? [] : aliases, ttl };
}

/** The aliases of a reply that lead from a name, each at most once. */
function aliasesFrom(answers: readonly Answer[], name: string): string[] {
  const targets = new Map(
    answers.flatMap((one) =>
      one.type === 'CNAME' ? [[withoutDot(one.name), withoutDot(one.data)] as const] : [],
    ),
  );
  const found: string[] = [];
  for (let at = targets.get(name.toLowerCase()); at !== undefined; at = targets.get(at)) {
    if (found.includes(at)) break;
    found.push(at);
  }
  return found;
}

function textsOf(answer: Answer): string[] {
  if (answer.type === 'TXT') {
    const parts = Array.isArray(answer.data) ? answer.data : [answer.data];
    return [parts.map((part) => part.toString()).join('')];
  }
  if (answer.type === 'CNAME' || answer.type === 'NS') return [withoutDot(answer.data)];
  if (answer.type === 'A' || answer.type === 'AAAA') return [answer.data];
  if (answer.type === 'CAA') return [`${answer.data.tag} ${answer.data.value}`];
  return [];
}

function withoutDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** RFC 2308 §5: the lower of the SOA's own TTL and its last field. */
function negativeTtl({ authorities = [] }: Reply): number {
  const soa = authorities.find((one) => one.type === 'SOA');
  if (soa?.type !== 'SOA') return defaultNegativeTtl;
  return Math.min(soa.ttl ?? defaultNegativeTtl, soa.data.minimum ?? defaultNegativeTtl);
}
