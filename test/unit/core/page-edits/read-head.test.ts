import { expect, jest, test } from '@jest/globals';
import { HtmlTokenizer, readHead } from '../../../../core/page-edits/read-head.ts';

const head = '<!doctype html><html><head><title>A</title></head>';

test.each([
  ['a body', `${head}<body>${'<p>some words'.repeat(5000)}`],
  ['a body in the first piece', `${head}<body>${'<p>some words'.repeat(50)}`],
  ['text without a body', `${head}some words${'<p>more words'.repeat(50)}`],
])('of %s no element is read', (_, page) => {
  const tags = jest.spyOn(HtmlTokenizer.prototype, 'onStartTag');
  const layout = readHead(page, 0);
  expect(layout).toMatchObject({ isWhole: true, title: { start: 34, end: 35 } });
  const read = tags.mock.calls.length;
  tags.mockRestore();
  // html, head, title, and the body or the paragraph that ends the head.
  expect(read).toBeLessThanOrEqual(4);
});

test.each([
  ['tags', '<meta>'.repeat(80_000)],
  [
    'attributes of one tag',
    `<meta ${Array.from({ length: 80_000 }, (_, at) => `a${at}`).join(' ')}`,
  ],
  ['comments', '<!---->'.repeat(70_000)],
  ['end tags with attributes', `<title></title ${'a b c '.repeat(600)}>`.repeat(120)],
])('a head of very many %s is read in part', (_, page) => {
  const fed = jest.spyOn(HtmlTokenizer.prototype, 'feed');
  const layout = readHead(page, 0);
  expect(layout.isWhole).toBe(false);
  expect(layout.late).toBeLessThan(100_000);
  expect(fed.mock.calls.length).toBeLessThan(25);
  fed.mockRestore();
});

test.each([4090, 4095, 4096, 4097, 8192])(
  'a tag at character %i, where one piece ends and the next begins, is read as one',
  (start) => {
    const before = `<head><!--${'x'.repeat(start - '<head><!---->'.length)}-->`;
    expect(before).toHaveLength(start);
    const layout = readHead(`${before}<title>A</title></head><body>`, 0);
    expect(layout.title).toEqual({ start: start + 7, end: start + 8 });
    expect(layout.late).toBe(start + 16);
  },
);
