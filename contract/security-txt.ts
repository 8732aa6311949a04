/** Where an installation accepts security reports. */
export interface SecurityContact {
  /** The app's address; no trailing slash. */
  baseUrl: string;
  /** An e-mail address or the address of a page. */
  contact: string;
  /** Address of the page with the disclosure policy. */
  policy: string | undefined;
}

/** Below `/.well-known/` (RFC 9116 §3). */
export const securityTxtPath = '/.well-known/security.txt';

/** RFC 9116 §2.5.5 recommends less than a year. After this time a stored copy must be fetched again. */
const expiresDays = 90;

/** The `security.txt` document (RFC 9116). It changes once a day. */
export function securityTxt({ baseUrl, contact, policy }: SecurityContact, now: Date): string {
  const expires = new Date(now);
  expires.setUTCHours(0, 0, 0, 0);
  expires.setUTCDate(expires.getUTCDate() + expiresDays);
  const fields = [
    ['Contact', contact.includes('://') ? contact : `mailto:${contact}`],
    ['Expires', expires.toISOString().replace('.000Z', 'Z')],
    ['Preferred-Languages', 'en'],
    ['Canonical', baseUrl + securityTxtPath],
    ...(policy === undefined ? [] : [['Policy', policy]]),
  ];
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}
