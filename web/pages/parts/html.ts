/** Markup that is safe to send. Only `html` and `trusted` make it, so a plain string never passes for it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What may stand between the literals of `html`; `false` and `undefined` leave nothing behind. */
type HtmlValue = Html | string | number | false | undefined | readonly Html[];

/**
 * Builds markup; every string is escaped for text and for quoted attribute values.
 *
 * Controls become visible, because U+202E makes `gnp.exe` read as `exe.png`.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const pieces = literals.map((literal, index) => literal + markupOf(values[index]));
  return new Html(pieces.join(''));
}

/** Takes markup as it is. For constants of ours alone: no byte of it may come from outside. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** A name that somebody else chose; set apart, so that a right-to-left one reorders nothing around it. */
export function named(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

/** Controls, line and paragraph separators, embeddings, overrides and isolates, and what shows as nothing. */
const invisible =
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u2028-\u202E\u2060-\u2069\uFEFF]/g;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text with everything in it to be seen: what would show as nothing, or turn what is around it, becomes U+FFFD. */
export function visible(text: string): string {
  return text.replace(invisible, '\uFFFD');
}

function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}
