import { expect, test } from '@jest/globals';
import { countDrawn } from '../../../../../web/viewers/pictures/count-drawn.ts';

const levels = (count: number, use: (id: string) => string) =>
  Array.from({ length: count }, (_, at) => `<g id="l${at + 1}">${use(`l${at}`).repeat(10)}</g>`);
const nested = (count: number, use: (id: string) => string, start = '<svg>') =>
  `${start}<rect id="l0"/>${levels(count, use).join('')}</svg>`;

const ways: [string, (id: string) => string][] = [
  ['href', (id) => `<use href="#${id}"/>`],
  ['a prefix', (id) => `<svg:use x='1>0' xlink:href = '#${id}'></svg:use>`],
  ['the number of a character', (id) => `<use href="&#35;${id}"/>`],
  ['its hexadecimal number', (id) => `<use href="&#x23;${id}"/>`],
  ['percent-encoding', (id) => `<use href="#%6C${id.slice(1)}"/>`],
  ['entities', (id) => `<use href="&mark;${id}"/>`],
  ['an older name first', (id) => `<use xlink:href="#none" href="#${id}"/>`],
];
const start = '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY mark "#">]><svg>';

test.each(ways)('copies of copies are counted, named by %s', (_, use) => {
  const { own, drawn } = countDrawn(nested(10, use, start));
  expect(own).toBe(1 + 1 + 10 * 11);
  expect(drawn).toBeGreaterThan(1e10);
});

test('a drawing without copies has its own elements, whatever else looks like one', () => {
  const svg =
    '<!-- <use href="#a"/> --><svg><g id="a"><![CDATA[<use href="#a"/>]]><path d="M0,0 > 9"/></g><use/><use href="other.svg"/><text>a</text></svg>';
  expect(countDrawn(svg)).toEqual({ own: 6, drawn: 6 });
});

test('two copies of a part of three elements are six more', () => {
  const svg = '<svg><g id="a"><rect/><rect/></g><use href="#a"/><use href="#a"/></svg>';
  expect(countDrawn(svg)).toEqual({ own: 6, drawn: 12 });
});

test('parts that contain themselves end', () => {
  const svg = '<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>';
  expect(countDrawn(svg).drawn).toBeLessThan(10);
});

test.each(['<!ENTITY a "<rect/>">', '<!ENTITY a "&b;">', '<!ENTITY % a "x"> %a;'])(
  'elements that may come from entities are not counted but too many: %s',
  (declared) => {
    const svg = `<!DOCTYPE svg [${declared}]><svg>&a;</svg>`;
    expect(countDrawn(svg).drawn).toBe(Infinity);
  },
);

test('names that are not read are too many, and those of namespaces are ordinary', () => {
  const long = `<svg><use href="#${'&#97;'.repeat(10_000)}"/></svg>`;
  expect(countDrawn(long).drawn).toBe(Infinity);
  const adobe = '<!DOCTYPE svg [<!ENTITY ns "http://ns.adobe.com/x">]><svg xmlns:x="&ns;"/>';
  expect(countDrawn(adobe)).toEqual({ own: 1, drawn: 1 });
});

test.each(['', 'text', '<', '<svg', '<svg><g "', '</svg>', '<!DOCTYPE [', `<${'a'.repeat(1e6)}`])(
  'a file that is no drawing is read to its end (%#)',
  (text) => expect(countDrawn(text).drawn).toBeLessThan(4),
);
