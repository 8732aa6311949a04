import { attributeOf, descendantsOf, elementsOf, type XmlElement } from '../parts/xml-tree.ts';

/** Whether each field of a part has an end (ECMA-376, part 1, section 17.16.18); otherwise none hides text. */
export function areFieldsClosed(root: XmlElement): boolean {
  const marks = descendantsOf(root, 'fldChar').map((mark) => attributeOf(mark, 'fldCharType'));
  const count = (type: string) => marks.filter((mark) => mark === type).length;
  return count('begin') === count('end');
}

/** Follows fields through a text: what they are made from is hidden, and fields of forms are written. */
export class FieldReader {
  readonly #areClosed: boolean;
  /** Whether each open field is still in its code, the outer ones first. */
  #codes: boolean[] = [];

  constructor(areClosed: boolean) {
    this.#areClosed = areClosed;
  }

  /** Whether text belongs to what a field is made from, and not to its result. */
  get isInCode(): boolean {
    return this.#areClosed && this.#codes.includes(true);
  }

  /** Takes note of a mark; returns what is shown for a field of a form, which has no result. */
  mark(element: XmlElement): string {
    const type = attributeOf(element, 'fldCharType');
    if (type === 'end') this.#codes.pop();
    if (type === 'separate' && this.#codes.length > 0) this.#codes[this.#codes.length - 1] = false;
    if (type !== 'begin') return '';
    this.#codes.push(true);
    const [box] = descendantsOf(element, 'checkBox');
    if (box !== undefined) return isChecked(box) ? '☒' : '☐';
    const [list] = descendantsOf(element, 'ddList');
    return list === undefined ? '' : chosenEntry(list);
  }
}

/** The last state, or the first one (section 17.16.7). */
function isChecked(box: XmlElement): boolean {
  const [state] = [...elementsOf(box, 'checked'), ...elementsOf(box, 'default')];
  return state !== undefined && !/^(?:0|false|off)$/.test(attributeOf(state, 'val') ?? 'true');
}

function chosenEntry(list: XmlElement): string {
  const [result] = [...elementsOf(list, 'result'), ...elementsOf(list, 'default')];
  const entry = elementsOf(list, 'listEntry')[Number(result && attributeOf(result, 'val')) || 0];
  return (entry && attributeOf(entry, 'val')) ?? '';
}
