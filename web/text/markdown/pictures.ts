import type { Element } from 'hast';
import { isNeighbour } from './neighbours.ts';
import { h } from './tree.ts';

/** Pictures that a text brings along. */
export const embedded = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;

/**
 * A picture of a text. A relative one is missing where the project has no other file. One of another
 * site is not loaded, but becomes a link; inside a link it becomes its alternative text.
 */
export function showPicture(picture: Element, ancestors: readonly string[]): Element {
  const { src: address = '', alt: words = '' } = picture.properties;
  if (embedded.test(address) || isNeighbour(picture)) return picture;
  const absent = { className: ['absent'] };
  if (!/^(?:https?:)?\/\//i.test(address) || ancestors.includes('a')) {
    return h('span', absent, words || 'Picture');
  }
  return h('a', { ...absent, href: address, rel: ['nofollow', 'noopener'] }, words || address);
}
