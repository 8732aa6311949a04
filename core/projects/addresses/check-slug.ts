import type { Slug } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import type { ProjectStore } from '../../ports.ts';
import type { Addresses } from './addresses.ts';
import { addressReservedDays } from '../../../contract/limits.ts';
import { CodedError } from '../../errors.ts';
import reservedNames from './reserved-names.json' with { type: 'json' };
import { reservedInSlugs } from './preview-host.ts';
import { isTemporarySlug } from './slugs.ts';

/** Dependencies of {@link checkSlug}. */
export interface CheckSlugDeps {
  projects: Pick<ProjectStore, 'checkAvailability'>;
  addresses: Pick<Addresses, 'hostOf'>;
  brand: string;
  now(): Date;
}

/**
 * Refuses early an address that the caller cannot have. The write that takes the address decides.
 * @throws CodedError SLUG_TAKEN
 */
export async function checkSlug(
  deps: CheckSlugDeps,
  { account }: AccountCaller,
  slug: Slug,
  domain?: { id: string; name: string },
): Promise<void> {
  if (isReserved(slug, domain === undefined ? deps.brand : undefined)) throw slugTaken(slug);
  const host = deps.addresses.hostOf(slug, domain?.name);
  const requester = { slug, accountId: account.id, domainId: domain?.id ?? null };
  const availability = await deps.projects.checkAvailability(host, requester, deps.now());
  if (availability === 'taken') throw slugTaken(slug);
  if (availability === 'reserved') throw slugReserved(slug);
}

/** The address is in use by another project. */
export function slugTaken(slug: Slug): CodedError {
  if (slug.includes(reservedInSlugs)) {
    return new CodedError('SLUG_TAKEN', {
      error: `Addresses with \`${reservedInSlugs}\` are reserved: ${slug}.`,
      nextStep: 'Choose a `slug` with single hyphens, or omit it to get a generated one.',
    });
  }
  return new CodedError('SLUG_TAKEN', { error: `The address is taken: ${slug}.` });
}

/** No slug was requested, and other projects use every slug that the title gives. */
export function titleSlugsTaken(): CodedError {
  return new CodedError('SLUG_TAKEN', { error: 'All addresses made from the title are taken.' });
}

/** The address is not in use, but this account may not have it. */
export function slugReserved(slug: Slug): CodedError {
  if (isTemporarySlug(slug)) {
    return new CodedError('SLUG_TAKEN', {
      error: `The address has the form of a temporary address, and those are assigned only at random: ${slug}.`,
      nextStep: 'Choose a `slug` of another form, or omit it to get a generated one.',
    });
  }
  return new CodedError('SLUG_TAKEN', {
    error: `The address is reserved for ${addressReservedDays} days for the account that left it: ${slug}.`,
    nextStep:
      'Choose another `slug`, or omit it to get a generated one. If that account is yours, sign in with it and use the address there.',
  });
}

/** Characters that look alike, each with its replacement. */
const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
};

const reservedSkeletons = new Set(Object.values(reservedNames.lookAlikes).flat().map(skeleton));
const reservedExactly = new Set(Object.values(reservedNames.exact).flat());

/** Reserved even if an installation has another brand, because the gate's own folder has this name. */
const productName = 'slipway';

/**
 * Whether no project may have a slug: a reserved name, the brand, both together (`slipway-login`),
 * or a look-alike of one of them.
 *
 * Two hyphens stand before the version in the hosts of previews, and internationalised names begin with
 * them (RFC 5891 §4.2.3.1): browsers show `xn--…` as other letters.
 * @param brand undefined beneath a custom domain, where all other names are its owner's
 */
export function isReserved(slug: Slug, brand: string | undefined): boolean {
  if (slug.includes(reservedInSlugs)) return true;
  if (brand === undefined) return false;
  if (reservedExactly.has(slug)) return true;
  const text = skeleton(slug);
  const brands = [productName, brand.toLowerCase().replace(/[^a-z0-9]/g, '')].filter(Boolean);
  return reservedSkeletons.has(text) || brands.some((name) => imitatesBrand(text, skeleton(name)));
}

/** Whether a text is a brand, alone or with a reserved name before or after it. */
function imitatesBrand(text: string, brand: string): boolean {
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
