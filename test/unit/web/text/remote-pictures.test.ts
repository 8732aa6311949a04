import { expect, test } from '@jest/globals';
import { takenFinder, takenStem } from '../../../../core/content/taken-pictures.ts';
import { markdownMarkup, remotePictures } from '../../../../web/text/markdown.ts';

const a = 'https://example.org/a.png';

test.each([
  [`![A](${a})`, [a]],
  [`![A](${a} "title") ![again](${a}#x)`, [a]],
  [`![A][ref]\n\n[ref]: ${a}`, [a]],
  [`[![badge](//example.org/b.svg)](https://example.org)`, ['https://example.org/b.svg']],
  [`<p align="center"><img src="${a}" width="20"></p>`, [a]],
  [`---\ntitle: x\n---\n![A](${a})`, [a]],
  ['![A](a.png) ![B](/b.png) ![C](data:image/png;base64,AAAA)', []],
  [`\`![A](${a})\`\n\n\`\`\`md\n![A](${a})\n\`\`\``, []],
  [`[A](${a})`, []],
  [`<!-- ![A](${a}) -->`, []],
  ['![A](ftp://example.org/a.png) ![B](javascript:alert(1))', []],
])('the pictures of %j', (text, found) => expect(remotePictures(text)).toEqual(found));

test('a text with ten thousand pictures, or one that is too long, holds nobody', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `![](https://example.org/${at})`).join(
    '\n',
  );
  const begun = performance.now();
  expect([0, 10_000]).toContain(remotePictures(many).length);
  expect(remotePictures(`![A](${a})`.repeat(30_000))).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('a picture that was taken along is shown, also inside a link; others stay links', () => {
  const path = `${takenStem(a)}.png`;
  const taken = takenFinder(new Map([[path, 1]]));
  const markup = (text: string) => markdownMarkup(text, 0, undefined, taken) ?? '';
  expect(markup(`![A](${a})`)).toContain(`<img src="/${path}" alt="A">`);
  expect(markup(`[![A](${a})](https://example.org)`)).toContain(`<img src="/${path}" alt="A"></a>`);
  expect(markup('![B](https://example.org/b.png)')).toContain('class="absent"');
  expect(markdownMarkup(`![A](${a})`)).not.toContain('<img');
});
