import { domainToASCII } from 'node:url';

/**
 * One mailbox, one text: composed, lowercase, its domain in ASCII.
 *
 * Local parts are case-sensitive by RFC 5321 §2.4 and nowhere in practice; treating `A@x` and
 * `a@x` as two would give one person two accounts.
 */
export function normaliseEmail(email: string): string {
  const text = email.trim().normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
}
