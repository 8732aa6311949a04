import type { DomainRecord } from '../../contract/domains/domain.ts';
import type { DnsAnswer } from './ports.ts';
import type { RequiredRecord } from './required-records.ts';

const hints = {
  missing:
    'Optional, for the bare domain: create an ALIAS or ANAME record, or a flattened CNAME, if your DNS provider offers one.',
  unreachable:
    'The DNS servers of this domain do not answer. Check at your registrar which servers the domain uses.',
  others: (addresses: readonly string[], target: string) =>
    `The bare domain has addresses (${addresses.join(', ')}) that ${target} does not have now. If you set A records by hand, replace them with an ALIAS or ANAME record to ${target}: its addresses change. With such a record, nothing is to do; addresses differ from place to place.`,
};

/**
 * The record of the bare name. Pure. It is optional, and providers show it with addresses instead of an
 * alias, so that only these can be compared.
 * @param edge the addresses that resolvers have for the target now
 */
export function judgeRoot(
  record: RequiredRecord,
  answer: DnsAnswer,
  edge: readonly string[],
): DomainRecord {
  if (answer.kind === 'failed')
    return { ...record, found: [], state: 'unknown', hint: hints.unreachable };
  if (answer.kind === 'none')
    return { ...record, found: [], state: 'missing', hint: hints.missing };
  const { values, aliases } = answer;
  const found = [...aliases, ...values];
  const target = record.value ?? '';
  const isOurs = aliases.includes(target) || values.some((address) => edge.includes(address));
  if (isOurs) return { ...record, found, state: 'ok', hint: null };
  return { ...record, found, state: 'unknown', hint: hints.others(found, target) };
}
