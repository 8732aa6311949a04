import type { Element, Root } from 'hast';
import { resolveOwn } from '../../../core/content/links/own-address.ts';
import type { TakenFinder } from '../../../core/content/taken-pictures.ts';
import { replaceElements } from './tree.ts';

/** A place in the text itself. */
const inText = /^\s*(?:#|$)/;

/** Marks addresses that were resolved; an author's text cannot make it. */
const resolved = new WeakSet<Element>();

/**
 * Resolves relative pictures and links of a text that has other files beside it. A link leads to the
 * page of a file, whose address has a slash behind the file's own.
 */
export function resolveNeighbours(tree: Root, folderHref: string): void {
  replaceElements(tree, (element) => {
    const attribute = element.tagName === 'img' ? 'src' : 'href';
    const address = element.properties[attribute];
    if (typeof address !== 'string' || inText.test(address)) return element;
    if (element.tagName !== 'img' && element.tagName !== 'a') return element;
    const url = resolveOwn(address, `http://site.invalid${folderHref}`);
    if (url === undefined) return element;
    const path = element.tagName === 'img' ? url.pathname : pageOf(url.pathname);
    const changed = {
      ...element,
      properties: { ...element.properties, [attribute]: path + url.hash },
    };
    resolved.add(changed);
    return changed;
  });
}

/** Shows the pictures of other sites that were taken along when the text was published. */
export function resolveTaken(tree: Root, find: TakenFinder): void {
  replaceElements(tree, (element) => {
    const { src } = element.properties;
    const href = element.tagName === 'img' && typeof src === 'string' ? find(src) : undefined;
    if (href === undefined) return element;
    const changed = { ...element, properties: { ...element.properties, src: href } };
    resolved.add(changed);
    return changed;
  });
}

/** Whether a picture is a file beside the text. */
export function isNeighbour(element: Element): boolean {
  return resolved.has(element);
}

function pageOf(path: string): string {
  return path.endsWith('/') || /\.html?$/i.test(path) ? path : `${path}/`;
}
