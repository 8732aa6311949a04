import { expect, test } from '@jest/globals';
import { mostAttachedBytes } from '../../../../../../web/viewers/pdf/bounds/attachment-bounds.ts';
import { mostOptions } from '../../../../../../web/viewers/pdf/bounds/option-bounds.ts';
import { boundMessage } from '../../../../../../web/viewers/pdf/bounds/worker-bounds.ts';
import { type XfaNode, xfaBounds } from '../../../../../../web/viewers/pdf/bounds/xfa-bounds.ts';

/** What is left of the pages of a form after it was sent. */
function sent(...pages: XfaNode[]): XfaNode[] {
  boundMessage({ action: 'GetDoc', data: { pdfInfo: { htmlForXfa: { children: pages } } } });
  return pages;
}

const aPage = (nodes: number): XfaNode => ({
  children: Array.from({ length: nodes - 1 }, () => ({})),
});

function nested(depth: number): XfaNode {
  return depth === 1 ? {} : { children: [nested(depth - 1)] };
}

const cut = { children: [], isCut: true };

test.each<[string, XfaNode, XfaNode]>([
  ['nodes', aPage(xfaBounds.nodesOfPage), aPage(xfaBounds.nodesOfPage + 1)],
  ['levels', nested(xfaBounds.depth), nested(xfaBounds.depth + 1)],
  [
    'characters',
    { children: [{ value: 'x'.repeat(xfaBounds.charactersOfPage) }] },
    { children: [{ attributes: { href: 'x'.repeat(xfaBounds.charactersOfPage + 1) } }] },
  ],
])('a page of a form with too many %s is sent without them', (_, allowed, tooLarge) => {
  const [before, after] = sent(structuredClone(allowed), tooLarge);
  expect(before).toEqual(allowed);
  expect(after).toEqual(cut);
});

test('pages after all that a document may have are empty, and smaller ones fit', () => {
  const full = xfaBounds.nodes / xfaBounds.nodesOfPage;
  const pages = Array.from({ length: full + 1 }, () => aPage(xfaBounds.nodesOfPage));
  pages[0] = aPage(xfaBounds.nodesOfPage - 1);
  const after = sent(...pages, aPage(1), aPage(1));
  expect(after.map(({ isCut = false }) => isCut)).toEqual([
    ...Array.from({ length: full }, () => false),
    true,
    false,
    true,
  ]);
});

const aChoice = (count: number, fieldValue: readonly string[] = ['v1']) => ({
  subtype: 'Widget',
  fieldValue,
  options: Array.from({ length: count }, (_, at) => ({
    exportValue: `v${at}`,
    displayValue: `Berth ${at}`,
  })),
});

test('fields share the choices that a page may have; one with more is text', () => {
  const fields = [
    aChoice(mostOptions - 1),
    aChoice(2),
    aChoice(1),
    aChoice(1),
    { subtype: 'Link' },
  ];
  boundMessage({ callback: 1, data: fields });
  expect(fields).toEqual([
    aChoice(mostOptions - 1),
    { subtype: 'Widget', options: [], fieldValue: [], shownText: 'Berth 1' },
    aChoice(1),
    { subtype: 'Widget', options: [], fieldValue: [], shownText: 'v1' },
    { subtype: 'Link' },
  ]);
});

test('a field in which too much is chosen is text too, of a bounded length', () => {
  const field = aChoice(
    10,
    Array.from({ length: 100_000 }, (_, at) => `v${at}`),
  );
  boundMessage({ callback: 1, data: [field] });
  expect(field).toEqual({
    subtype: 'Widget',
    options: [],
    fieldValue: [],
    shownText: expect.stringMatching(/^Berth 0, Berth 1, .{482}$/),
  });
});

const aFile = (bytes: number) => ({ rawFilename: 'a.bin', content: new Uint8Array(bytes) });
const withoutContent = { rawFilename: 'a.bin', content: null, isCut: true };

test('attached files share the bytes that are sent; one without room has its name', () => {
  const files = { a: aFile(mostAttachedBytes - 1), b: aFile(2), c: aFile(1), d: aFile(1) };
  boundMessage({ callback: 1, data: files });
  expect(Object.values(files).map(({ content }) => content?.length)).toEqual([
    mostAttachedBytes - 1,
    undefined,
    1,
    undefined,
  ]);
  expect(files.b).toEqual(withoutContent);
  const notes = [{ file: aFile(mostAttachedBytes + 1) }, { file: aFile(1) }];
  boundMessage({ callback: 1, data: notes });
  expect(notes).toEqual([{ file: withoutContent }, { file: aFile(1) }]);
});

test.each([null, 'text', 7, {}, { data: null }, { data: { pdfInfo: null } }, { data: [null, 1] }])(
  'any other message is sent as it is: %j',
  (message) => {
    const before = structuredClone(message);
    boundMessage(message);
    expect(message).toEqual(before);
  },
);
