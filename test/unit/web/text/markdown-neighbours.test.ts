import { expect, test } from '@jest/globals';
import { markdownMarkup } from '../../../../web/text/markdown.ts';

const markup = (text: string) => markdownMarkup(text, 2000, '/docs/') ?? '';

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

test.each([
  ['a foreign picture', '![x](https://evil.example/x.png)'],
  ['a picture of another host', '![x](//evil.example/x.png)'],
  ['a picture whose address has a backslash', '<img src="/\\evil.example/x.png">'],
  ['a script', '![x](javascript:alert(1))'],
])('%s is not loaded', (_, text) =>
  expect(markup(text)).not.toMatch(/<img|(?:src|href)="javascript/),
);
