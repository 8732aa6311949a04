import type { MarkdownIt, StateInline } from 'markdown-it';
import type { FilesBeside } from '../../../core/content/text-file.ts';
import { anchorOf } from './headings.ts';

const longest = 620;

declare module 'markdown-it' {
  interface Env {
    /** The files of the text's bundle, to which `markdownMarkup` lets links lead. */
    beside?: FilesBeside | undefined;
  }
}

/** `[[Note]]`, `[[folder/Note#Heading|words]]`, `![[picture.png|200]]`: file, heading and words. */
const wikiLink = /^!?\[\[([^[\]|#\n]{0,200})(?:#([^[\]|\n]{0,200}))?(?:\|([^[\]\n]{1,200}))?\]\]/;

/**
 * Reads links between the notes of a vault (Obsidian, Foam, Dendron): in a bundle they lead to the pages of its
 * files, wherever in it these are, and pictures are shown. A link to no file of the bundle is its words. Outside of
 * a bundle they stay as they are written.
 */
export function readWikiLinks(md: MarkdownIt): void {
  md.inline.ruler.before('image', 'wiki link', readLink);
}

function readLink(state: StateInline, silent: boolean): boolean {
  const { beside } = state.env;
  if (beside === undefined) return false;
  const link = wikiLink.exec(state.src.slice(state.pos, state.pos + longest));
  if (link === null) return false;
  state.pos += link[0].length;
  if (!silent) pushLink(state, beside, link);
  return true;
}

function pushLink(
  state: StateInline,
  beside: FilesBeside,
  [whole, name = '', heading, words]: RegExpExecArray,
): void {
  const file = name.trim();
  const found = file === '' ? { href: '', isPicture: false } : beside.find(file);
  if (found?.isPicture === true && whole.startsWith('!')) {
    pushPicture(state, found.href, file, words);
    return;
  }
  const text = words ?? [file, heading?.trim()].filter(Boolean).join(' > ');
  const anchor = heading === undefined ? '' : `#${anchorOf(heading)}`;
  pushWords(state, text, found && found.href + anchor);
}

function pushWords(state: StateInline, text: string, href: string | undefined) {
  if (href !== undefined) state.push('link_open', 'a', 1).attrs = [['href', href]];
  state.push('text', '', 0).content = text;
  if (href !== undefined) state.push('link_close', 'a', -1);
}

/** A picture with its name, or what stands in the place of the words: Obsidian writes the width there. */
function pushPicture(state: StateInline, href: string, name: string, words: string | undefined) {
  const isWidth = words !== undefined && /^\d{1,4}$/.test(words);
  const picture = state.push('image', 'img', 0);
  picture.attrs = [
    ['src', href],
    ['alt', ''],
  ];
  if (isWidth) picture.attrSet('width', words);
  const text = new state.Token('text', '', 0);
  text.content = isWidth ? name : (words ?? name);
  picture.content = text.content;
  picture.children = [text];
}
