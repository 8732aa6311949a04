import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { isSameOrBeneath, maxLabels } from './domain-name.ts';

/** The names that no customer can add, and those that only a local cloud allows. */
export interface OwnNames {
  /** Hosts of this installation, without ports: the app, the sites, the target of the records. */
  hosts: readonly string[];
  /**
   * A suffix that counts as a public suffix although it is none: `localhost` in the local cloud;
   * else empty.
   */
  testableSuffix: string;
}

/** A checked name of a domain. */
export interface DomainName {
  /** In its DNS form: ASCII, lowercase. */
  name: string;
  /**
   * The part that is registered: `example.co.uk` of `shop.example.co.uk`. Claims are decided for
   * the whole zone.
   */
  zone: string;
}

/** Longest name for which `*.name`, the records beneath it and a slug still fit into 253 octets (RFC 1035). */
const maxNameLength = 180;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name of a domain as the customer wrote it, or why it is refused. Pure. */
export function parseDomainName(text: string, own: OwnNames): DomainName | { refused: string } {
  const written = text.trim().replace(/\.$/, '');
  if (/[/:@?#\s\\*]/.test(written))
    return refuse('Enter only the name of the domain, such as example.com.');
  const name = domainToASCII(written);
  if (
    name === '' ||
    name.length > maxNameLength ||
    !name.split('.').every((part) => label.test(part))
  )
    return refuse(`This is not a valid domain name of at most ${maxNameLength} characters.`);
  if (name.split('.').length > maxLabels)
    return refuse(`A custom domain has at most ${maxLabels} parts between its dots.`);
  if (isIP(name) !== 0) return refuse('An IP address cannot be a custom domain.');
  if (own.hosts.some((host) => isSameOrBeneath(name, host) || isSameOrBeneath(host, name)))
    return refuse('This domain belongs to this service.');
  const zone = registrableZone(name, own.testableSuffix);
  if (typeof zone !== 'string') return zone;
  if (name.startsWith('www.') && name.slice(4) === zone)
    return refuse(`Add ${zone} instead: it includes www.`);
  return { name, zone };
}

function registrableZone(name: string, testableSuffix: string): string | { refused: string } {
  if (testableSuffix !== '' && isSameOrBeneath(name, testableSuffix)) {
    const zone = name.split('.').slice(-2).join('.');
    return name === testableSuffix ? refuse('This is a public suffix.') : zone;
  }
  const { domain, isIcann, isPrivate, publicSuffix } = parse(name, { allowPrivateDomains: true });
  if (publicSuffix === name)
    return refuse('Anybody can register names below this one. Add a domain of your own.');
  if (domain === null || !(isIcann === true || isPrivate === true))
    return refuse('Nobody can register a domain with this ending, so it gets no certificate.');
  return domain;
}

function refuse(refused: string): { refused: string } {
  return { refused };
}
