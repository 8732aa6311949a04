import { expect, jest, test } from '@jest/globals';
import { fileFinder } from '../../../../core/visit/bundle-file.ts';
import { aManifest } from '../../../fixtures/visits/a-site.ts';
import { markdownMarkup } from '../../../../web/text/markdown.ts';

const paths = [
  'docs/Quay.md',
  'docs/other.md',
  'a/b/bow 1.png',
  'Tide.md',
  'old/Tide.md',
  'plan.pdf',
];
const beside = { folderHref: '/docs/', find: fileFinder(aManifest(...paths)) };
const markup = (text: string) => markdownMarkup(text, 2000, beside) ?? '';

test.each([
  ['![Bow](bow.png)', 'src="/docs/bow.png"'],
  ['![Bow](../up/bow%201.png)', 'src="/up/bow%201.png"'],
  ['<img src="./bow.png" width="20">', 'src="/docs/bow.png"'],
  ['![Bow](/bow.png)', 'src="/bow.png"'],
  ['![Out](../../../../bow.png)', 'src="/bow.png"'],
  ['[Plan](plan.pdf)', 'href="/docs/plan.pdf/"'],
  ['[Part](other.md#quay)', 'href="/docs/other.md/#quay"'],
  ['[Folder](more/)', 'href="/docs/more/"'],
  ['[Page](page.html)', 'href="/docs/page.html"'],
  ['[Here](#quay)', 'href="#quay"'],
  ['[Away](https://example.com/a.png)', 'href="https://example.com/a.png"'],
])('in a bundle, %s has %s', (text, expected) => expect(markup(text)).toContain(expected));

test.each(['/\\x/a', '\\\\x/a', '/&#9;/x/a', 'https:x/a'])(
  'a link to %s is to another host',
  (href) => {
    const parse = jest.spyOn(URL, 'parse');
    expect(markup(`<a href="${href}">a</a><img src="${href}">`)).not.toContain('/docs/');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  },
);

test.each([
  ['[[Quay]]', '<a href="/docs/Quay.md/" rel="nofollow noopener">Quay</a>'],
  [
    '[[quay#The old Crane|there]]',
    'href="/docs/Quay.md/#the-old-crane" rel="nofollow noopener">there</a>',
  ],
  ['[[Tide]]', 'href="/Tide.md/"'],
  ['[[old/tide.md]]', 'href="/old/Tide.md/"'],
  ['[[#Here]]', '<a href="#here" rel="nofollow noopener">Here</a>'],
  ['[[Lost|gone]]', '<p>gone</p>'],
  ['![[bow 1.png|200]]', '<img src="/a/b/bow%201.png" alt="bow 1.png" width="200">'],
  ['![[plan.pdf]]', 'href="/plan.pdf/"'],
  ['![[Quay]]', 'href="/docs/Quay.md/"'],
  ['`[[Quay]]`', '<code>[[Quay]]</code>'],
  ['[[a]](b.md)', 'href="/docs/b.md/"'],
])('in a vault, %s becomes %s', (text, expected) => expect(markup(text)).toContain(expected));

test('outside of a bundle, a wiki link is text', () =>
  expect(markdownMarkup('[[Quay]]')).toContain('[[Quay]]'));

test('two hundred thousand wiki links are read in bounded steps', () =>
  expect(typeof markdownMarkup('[[Quay]]'.repeat(60_000), 0, beside)).toMatch(/string|undefined/));

test.each([
  ['a foreign picture', '![x](https://evil.example/x.png)'],
  ['a picture of another host', '![x](//evil.example/x.png)'],
  ['a picture whose address has a backslash', '<img src="/\\evil.example/x.png">'],
  ['a script', '![x](javascript:alert(1))'],
])('%s is not loaded', (_, text) =>
  expect(markup(text)).not.toMatch(/<img|(?:src|href)="javascript/),
);
