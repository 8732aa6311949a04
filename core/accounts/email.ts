import { domainToASCII } from 'node:url';

/**
 * The single form of a mailbox: NFC, lowercase, with its domain in ASCII.
 *
 * Local parts are case-sensitive by RFC 5321 §2.4, but not in practice. If `A@x` and `a@x` were
 * different, one person would have two accounts.
 */
export function normaliseEmail(email: string): string {
  const text = email.trim().normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
}
