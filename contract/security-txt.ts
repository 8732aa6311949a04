/** Where a deployment takes reports of weaknesses in the service itself. */
export interface SecurityContact {
  /** The app's address; no trailing slash. */
  baseUrl: string;
  /** An e-mail address, or an address of a page. */
  contact: string;
  /** A page that says how reports are handled. */
  policy: string | undefined;
}

/** Below `/.well-known/` (RFC 9116 §3). */
export const securityTxtPath = '/.well-known/security.txt';

/** RFC 9116 §2.5.5 asks for less than a year; whoever kept the document asks again after this time. */
const expiresDays = 90;

/** The document of RFC 9116: whom to tell of a weakness. It says the same for a whole day. */
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
