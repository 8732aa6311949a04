import { expect, test } from '@jest/globals';
import { pageAsXml } from '../../../../../web/viewers/reader/page-as-xml.ts';

const read = (text: string) => {
  const { bytes, isCut } = pageAsXml(new TextEncoder().encode(text));
  return { xml: new TextDecoder().decode(bytes), isCut };
};

test('a page is read as browsers read it, with the attributes that a reader needs', () => {
  const page =
    '<!doctype html><html><head><title>No</title></head><body onload="x()"><p class="a">At <b>nine</b> &amp; ten<p>Dry<img src="a.png" alt="A &quot;quay&quot;" onerror="x()"><a href="https://a.example/?b&amp;c">There</a>';
  expect(read(page)).toEqual({
    xml: '<html xmlns=""><body><p>At <b>nine</b> &amp; ten</p><p>Dry<img src="a.png" alt="A &quot;quay&quot;"></img><a href="https://a.example/?b&amp;c">There</a></p></body></html>',
    isCut: false,
  });
});

test('a web archive has its pictures', () => {
  const archive = `Content-Type: multipart/related; boundary=x

--x
Content-Type: text/html; charset=utf-8

<p>Tide<img src="files/quay.png"><img src="cid:1"></p>
--x
Content-Type: image/png
Content-Location: file:///C:/files/quay.png
Content-Transfer-Encoding: base64

iVBORw==
--x--
`;
  expect(read(archive).xml).toContain(
    '<p>Tide<img src="data:image/png;base64,iVBORw"></img><img src="cid:1"></img></p>',
  );
});

const formats = Array.from({ length: 450 }, (_, at) => `<b id="${at}</b>">`).join('');

test.each([
  ['text', 'Tide < nine', '<html xmlns=""><body><pre>Tide &lt; nine</pre></body></html>'],
  ['formats', `<html><p>${formats}${'<p>x'.repeat(2000)}`, '<html xmlns=""><pre>&lt;html'],
  ['divisions', `<html>${'<div id="</div>">'.repeat(1000)}`, '<html xmlns=""><pre>&lt;html'],
  [
    'tables',
    `<html>${'<table><tr><td id="</td></tr></table>">'.repeat(1000)}`,
    '<html xmlns=""><pre>&lt;html',
  ],
])('%s: what is no page, or has too many elements, is lines', (_, text, beginning) => {
  expect(read(text).xml.slice(0, beginning.length)).toBe(beginning);
});
