import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

/** A fragment of markup as browsers read it, without the places of its parts in the text. */
export function parseMarkup(markup: string): Root {
  const tree = fromParse5(parseFragment(markup));
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}
