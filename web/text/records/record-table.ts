import { escaped, revealInvisible } from '../../pages/parts/html.ts';

/** Characters of one cell, rows of one table and columns beside each other. */
export const mostShown = { characters: 2000, rows: 500, columns: 12 } as const;

/** Text of a file as markup, on its lines. */
export function shownText(text: string, most: number = mostShown.characters): string {
  const cut = text.length > most ? `${text.slice(0, most)} …` : text;
  return escaped(revealInvisible(cut)).replaceAll('\n', '<br>');
}

/** A table of texts, of which the first rows are shown, with a remark where there are more. */
export function tableMarkup(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const columns = heads.slice(0, mostShown.columns);
  const head = columns.map((name) => `<th scope="col">${shownText(name, 200)}</th>`).join('');
  const body = rows
    .slice(0, mostShown.rows)
    .map(
      (row) =>
        `<tr>${columns.map((_, at) => `<td>${shownText(row[at] ?? '')}</td>`).join('')}</tr>`,
    )
    .join('');
  const isCut = rows.length > mostShown.rows || heads.length > columns.length;
  const note = isCut
    ? `<p class="hint">Only the first ${mostShown.rows} rows and ${mostShown.columns} columns are shown; there are ${rows.length} rows and ${heads.length} columns.</p>`
    : '';
  return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${note}`;
}

/** Names and values of one thing, one below the other. */
export function factsMarkup(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts
    .filter(([, value]) => value.trim() !== '')
    .map(
      ([name, value]) =>
        `<tr><th scope="row">${shownText(name, 200)}</th><td>${shownText(value)}</td></tr>`,
    );
  return rows.length === 0
    ? ''
    : `<div class="scroll"><table><tbody>${rows.join('')}</tbody></table></div>`;
}
