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

/** A value in an `html` template; `false` and `undefined` render nothing. */
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

/** Marks a string as safe markup. Only for our own constants: no byte may come from outside. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** A name that somebody else chose, in `<bdi>`: a right-to-left name must not reorder the text around it. */
export function isolatedName(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

/** Controls, line and paragraph separators, embeddings, overrides and isolates, and what shows as nothing. */
const invisible =
  // oxlint-disable-next-line no-control-regex -- the pattern must match control characters
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u2028-\u202E\u2060-\u2069\uFEFF]/g;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as markup. */
export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Replaces invisible characters, and those that reorder the text around them, by U+FFFD. */
export function revealInvisible(text: string): string {
  return text.replace(invisible, '\uFFFD');
}

function escapeHtml(text: string): string {
  return revealInvisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}

/** The error of a form; `role=alert` makes screen readers announce it immediately. */
export function formError(id: string, error: string | undefined): Html {
  return html`${error !== undefined && html`<p class="fault" id="${id}" role="alert">${error}</p>`}`;
}
