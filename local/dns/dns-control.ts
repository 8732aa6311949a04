import * as z from 'zod';
import type { LocalDns } from './dns.ts';
import { Dnssec, DnsName, RecordType } from './zone-records.ts';

const NewRecord = z.strictObject({
  name: DnsName,
  type: RecordType,
  value: z.string().trim().min(1).max(4096),
  ttlSeconds: z.coerce.number().int().min(0).max(604_800).optional(),
  zone: DnsName.optional(),
});

const Removal = z.strictObject({
  name: DnsName,
  type: RecordType.optional(),
  value: z.string().optional(),
});

const ZoneChange = z.strictObject({
  zone: DnsName,
  dnssec: Dnssec.optional(),
  negativeTtlSeconds: z.coerce.number().int().min(0).max(86_400).optional(),
  isSilent: z.boolean().optional(),
});

/** What a change of the zones did: a fact to report, or why it was refused. */
export type DnsChange = { done: Record<string, unknown> } | { refused: string };

function refused(error: z.ZodError): DnsChange {
  return { refused: z.prettifyError(error) };
}

/** Changes that a person or a test makes, by their route below `/_local/dns`. */
export const dnsChanges: Record<string, (dns: LocalDns, input: unknown) => DnsChange> = {
  'POST /dns/records': (dns, input) => {
    const { success, data, error } = NewRecord.safeParse(input);
    if (!success) return refused(error);
    const problem = dns.zones.add(data);
    return problem === undefined ? { done: { added: data } } : { refused: problem };
  },
  'DELETE /dns/records': (dns, input) => {
    const { success, data, error } = Removal.safeParse(input);
    return success ? { done: { removed: dns.zones.remove(data) } } : refused(error);
  },
  'POST /dns/zones': (dns, input) => {
    const { success, data, error } = ZoneChange.safeParse(input);
    if (!success) return refused(error);
    const { zone, ...change } = data;
    dns.zones.configure(zone, change);
    return { done: { zone, ...change } };
  },
  'DELETE /dns/zones': (dns, input) => {
    const { success, data, error } = ZoneChange.pick({ zone: true }).safeParse(input);
    return success ? { done: { removed: dns.zones.removeZone(data.zone) } } : refused(error);
  },
  'POST /dns/forget': (dns) => {
    dns.forget();
    return { done: { forgotten: true } };
  },
};

/**
 * The route of a change that the page's form sends. HTML forms send no DELETE, so a field names the
 * method.
 */
export function formRoute(path: string, form: URLSearchParams): string {
  return `${form.get('method') === 'DELETE' ? 'DELETE' : 'POST'} ${path}`;
}

/** The fields of a form; those that were left empty are missing. */
export function formInput(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...form].filter(([name, value]) => name !== 'method' && value !== ''));
}
