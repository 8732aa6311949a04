import { randomInt } from 'node:crypto';
import { Slug } from '../../../contract/fields.ts';

const adjectives =
  'able amber ample apt azure bold brave breezy bright brisk calm candid chief civil clear clever coral cosy crisp deep deft early easy even fair fast fine firm fleet fond free fresh full gentle glad golden good grand green hale handy happy hardy honest ideal jade jolly just keen kind large late level light lively local loyal lucid lunar main major mellow merry mild minty modest neat new nimble noble novel olive open pale plain polar prime proud pure quick quiet rapid rare ready real rich ripe rosy royal safe sandy sharp silent silver sleek smart smooth snug soft solar solid sound spare spry stable steady still stout subtle sunny super sure swift tall teal tidy tiny topaz tough trim true trusty urban vast velvet vivid warm wide wild wise witty young zesty'.split(
    ' ',
  );
const nouns =
  'anchor arch atoll bay beach beacon berth birch boat bow brook buoy cabin canal canoe canvas cape cedar channel cliff cloud coast compass coral cove crane creek crest current deck delta dock drift dune eagle ebb eddy estuary ferry field fjord flag fleet float fog forest galley garden gate glade gull harbour haven headland heron hill hull inlet island jetty kayak keel kelp kite knot lagoon lake lantern launch ledge lighthouse lock loft maple marina mast meadow moon mooring oak oar ocean orbit otter paddle palm pearl pebble pier pilot pine plank pond pontoon port prow quay raft rain reed reef ridge river rope rudder sail sand schooner seal shell ship shoal shore skiff sloop spring spruce star stern strait stream summit surf swan tern tide tiller timber trail vale vessel voyage wave wharf wheel willow wind yacht yard'.split(
    ' ',
  );
/** Without letters and digits that look alike: no i, l, o, 0, 1. */
const tailAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * A slug for a temporary project: two words and four random characters (`calm-harbour-x7k2`). There
 * are about 10^10, too many to try them all while one is live.
 */
export function temporarySlug(): Slug {
  return Slug.parse(`${pick(adjectives)}-${pick(nouns)}-${tail(tailLength)}`);
}

const tailLength = 4;
const adjectiveSet = new Set(adjectives);
const nounSet = new Set(nouns);
const temporaryTail = new RegExp(`^[${tailAlphabet}]{${tailLength}}$`);

/**
 * The words and the random characters of a slug with the form of a temporary one; `undefined` for any
 * other. Never remove a word from the two lists: slugs made with it would be given out again.
 */
export function temporarySlugParts(slug: string): { words: string; tail: string } | undefined {
  const [adjective = '', noun = '', tail = '', ...more] = slug.split('-');
  if (more.length > 0 || !temporaryTail.test(tail)) return undefined;
  const isMadeOfWords = adjectiveSet.has(adjective) && nounSet.has(noun);
  return isMadeOfWords ? { words: `${adjective}-${noun}`, tail } : undefined;
}

/** Whether a slug has the form of a temporary one. */
export function isTemporarySlug(slug: string): boolean {
  return temporarySlugParts(slug) !== undefined;
}

/** Letters that do not decompose into a plain letter and a mark. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
const titleSlugLength = 50;
const tries = 5;

/** A few random slugs for a temporary project. */
export function* temporarySlugs(): Generator<Slug> {
  for (let count = 0; count < tries; count += 1) yield temporarySlug();
}

/**
 * Slugs for a title, best first: the title itself, then the title with a random tail. A title without
 * a usable letter or digit is replaced by two words. None has the form of a temporary slug.
 * @param isAllowed whether a slug is not reserved
 */
export function* titleSlugs(title: string, isAllowed: (slug: Slug) => boolean): Generator<Slug> {
  const base = slugText(title) || `${pick(adjectives)}-${pick(nouns)}`;
  const texts = [base, ...Array.from({ length: tries }, () => `${base}-${tail(tailLength)}`)];
  for (const text of texts) {
    const slug = Slug.parse(isTemporarySlug(text) ? text + tail(1) : text);
    if (isAllowed(slug)) yield slug;
  }
}

function slugText(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => plainLetters[letter] ?? '-')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, titleSlugLength + 1)
    .replace(/^-|-$/g, '')
    .slice(0, titleSlugLength)
    .replace(/-$/, '');
}

function tail(length: number): string {
  return Array.from({ length }, () => tailAlphabet[randomInt(tailAlphabet.length)]).join('');
}

function pick(words: readonly string[]): string {
  return words[randomInt(words.length)] ?? '';
}
