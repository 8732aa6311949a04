import { expect, test } from '@jest/globals';
import { readPage, readStyleSheet } from '../../../../../core/content/links/page-links.ts';

const pathsIn = (html: string, path = 'docs/a.html') =>
  readPage(html, path).links.map((link) => `${link.kind} ${link.path}`);

test.each([
  ['<a href="b.html?q#f">', ['page /docs/b.html']],
  ['<a href="../caf%C3%A9/">', ['page /caf%C3%A9/']],
  ['<area href="//site.example/x"><a href="mailto:a@b">', []],
  ['<a href="#top"><a href=""><a>', []],
  ['<a href="{{ url }}"><img src="${image}">', []],
  ['<a href="/_slipway/report">', []],
  [
    '<script src=a.js></script><img src=/i.png srcset="a.png 1x, b.png 2x">',
    ['asset /docs/a.js', 'asset /i.png', 'asset /docs/a.png', 'asset /docs/b.png'],
  ],
  [
    '<link rel="stylesheet" href="a.css"><link rel="canonical" href="/never">',
    ['asset /docs/a.css'],
  ],
  ['<base href="/app/"><base href="/never/"><img src="a.png">', ['asset /app/a.png']],
  ['<script>"<img src=never.png>"</script><!-- <img src=never.png> -->', []],
  [
    '<video poster=p.jpg><source src=v.mp4></video><iframe src=f.html>',
    ['asset /docs/p.jpg', 'asset /docs/v.mp4', 'page /docs/f.html'],
  ],
  ['<a href="http://[bad">', []],
  ['<img src="data:image/png;base64,AA">', []],
])('%s', (html, expected) => {
  expect(pathsIn(html)).toEqual(expected);
});

test('a page of any bytes is read', () => {
  for (const text of ['<', '<a href', '\0'.repeat(99), '<a href="\ufffd">', '</'.repeat(999)]) {
    expect(pathsIn(text)).toEqual([]);
  }
});

test('a style sheet refers to images, fonts and other style sheets', () => {
  const css = `@import "b.css"; a { background: url( "../i.png" ) } /* url(never.png) */
    b { src: url(f.woff2?#iefix) format("x"), url('data:font/woff2;base64,AA') } c{d:url(#svg)}`;
  expect(readStyleSheet(css, 'css/a.css').map(({ path }) => path)).toEqual([
    '/css/b.css',
    '/i.png',
    '/css/f.woff2',
  ]);
});

test.each([
  ['comments without an end', '/*'],
  ['addresses without an end', 'url(" '],
  ['white space', 'url(       '],
])('a style sheet with many %s takes no longer', (_, piece) => {
  const startedAt = performance.now();
  readStyleSheet(piece.repeat(60_000), 'a.css');
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
