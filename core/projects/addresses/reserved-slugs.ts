import type { Slug } from '../../../contract/fields.ts';

/** Names that people, mail servers and certificate authorities take for the service itself. */
const reserved =
  'abuse account accounts acme admin administrator api app apps assets auth autoconfig autodiscover beta billing cdn claim console dashboard dev dns docs email ftp gate health help hostmaster id identity imap info internal invoice isatap local localhost login logout mail mcp media mta-sts mx no-reply noreply ns ns1 ns2 ns3 ns4 oauth official password pay payment payments pop pop3 postmaster qr register root secure security settings sftp sign-in sign-out sign-up signin signout signup site sites smtp ssh sso staging static status support system upload uploads verification verify webmail webmaster wpad www'.split(
    ' ',
  );

/** One character for each that a hasty reader takes for it. */
const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
};

const reservedSkeletons = new Set(reserved.map(skeleton));

/** Also where a deployment has another brand: the folder that the gate serves itself has this name. */
const ownName = 'slipway';

/**
 * Whether a slug may be given to nobody: a reserved name, the brand, both together
 * (`slipway-login`), or what looks like one of them.
 *
 * Hyphens in the third and fourth place are how internationalised names begin (RFC 5891 §4.2.3.1):
 * browsers show `xn--…` as other letters.
 */
export function isReserved(slug: Slug, brand: string): boolean {
  if (slug.startsWith('--', 2)) return true;
  const text = skeleton(slug);
  const brands = [ownName, brand.toLowerCase().replace(/[^a-z0-9]/g, '')].filter(Boolean);
  return reservedSkeletons.has(text) || brands.some((name) => poses(text, skeleton(name)));
}

/** Whether a text is a brand, alone or with a reserved name before or after it. */
function poses(text: string, brand: string): boolean {
  const rests = [
    ...(text.startsWith(brand) ? [text.slice(brand.length)] : []),
    ...(text.endsWith(brand) ? [text.slice(0, -brand.length)] : []),
  ];
  return rests.some((rest) => rest === '' || reservedSkeletons.has(rest));
}

/** One text for all slugs that look alike. */
function skeleton(slug: string): string {
  return slug
    .replaceAll('-', '')
    .replace(/[01i3457]/g, (character) => lookAlikes[character] ?? character)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd');
}
