import { describe, expect, jest, test } from '@jest/globals';
import { editPage } from '../../../../core/page-edits/edit-page.ts';
import type { PageHead } from '../../../../core/page-edits/page-head.ts';

jest.setTimeout(600_000);

const script = 'https://site.test/_slipway/open.js';
const doctype = '<!doctype html>';
const scriptTag = `<script src="${script}" async></script>`;
const noIndex = '<meta name="robots" content="noindex">';

const edited = (page: string, head: PageHead) =>
  Buffer.from(editPage(Buffer.from(page, 'latin1'), head)).toString('latin1');

test.each([
  ["default-src 'none'", ''],
  ["script-src 'nonce-a'", ''],
  ["default-src 'self'", scriptTag],
])('a page with the policy %s gets %j (habit 10)', (policy, inserted) => {
  const before = `<head><meta http-equiv=Content-Security-Policy content="${policy}">`;
  expect(edited(`${before}</head>`, { script })).toBe(`${before}${inserted}</head>`);
});

describe('the position of an insertion', () => {
  test.each([
    [
      'a whole page',
      '<!doctype html><html><head><title>A</title>',
      '</head><body><p>A</body></html>',
    ],
    ['a page without a head', '<!doctype html>\r\n<html lang=en>\r\n', '<body>A</body></html>'],
    ['a page without any frame', '<!doctype html>\n', '<p>A</p>'],
    ['a page of text', '<!doctype html> \n ', 'A <b>B</b>'],
    ['an empty page', '<!doctype html>', ''],
    ['a page of white space', '<!doctype html>\n\n', ''],
    ['a page of an end tag without a name', '<!doctype html></> ', ''],
    ['a byte order mark before everything', '\xef\xbb\xbf<html><head>', '</head>'],
    ['a frameset', '<!doctype html><html>', '<frameset><frame src=a></frameset></html>'],
    [
      'XHTML',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "a" "b"><html xmlns="c"><head>',
      '</head>',
    ],
    [
      'conditional comments',
      '<!--[if IE]><html class="ie"><![endif]--><!--[if !IE]><!--><html><!--<![endif]--><head>',
      '</head>',
    ],
    ['a head within a script', '<head><script>"</head><body>"</script>', '</head>'],
    ['a head within a style', '<head><style>/* </head> */</style>', '</head>'],
    ['a head within a comment', '<head><!-- </head> -->', '</head>'],
    ['a head within an attribute', '<head><meta name="a" content="</head>">', '</head>'],
    ['a head within a title', '<head><title></head></title>', '</head>'],
    ['a head that nobody ends', '<title>A</title><style></style>', '<h1>A</h1>'],
    ['a head that a stray end tag does not end', '<head></p>', '</head>'],
    ['a head that an end tag of the body ends', '<head>', '</body>'],
    ['a template', '<head>', '<template><title>A</title></template></head>'],
    ['a script that nobody ends', '<head>', '<script>let a = "'],
    ['a title that nobody ends', '', '<title>A <b>B</b>'],
    ['a comment that nobody ends', '<!doctype html>', '<!-- A --'],
    ['a doctype that nobody ends', '', '<!doctype html'],
    ['a tag that nobody ends', '<html>', '<head class="'],
    ['a drawing', '<!doctype html>', '<svg><title>A</title></svg>'],
    ['a text field', '<!doctype html>', '<textarea><head></textarea>'],
    ['capitals', '<HTML><HEAD><TITLE>A</TITLE>', '</HEAD><BODY>'],
  ])('the script is inserted at the end of the head: %s', (_, before, after) => {
    expect(edited(before + after, { script })).toBe(before + scriptTag + after);
  });

  test.each([
    ['first in the head', '<!doctype html><head>', '<script src=a></script></head>'],
    [
      'after the encoding',
      '<head><script></script><meta charset="utf-8">',
      '<style></style></head>',
    ],
    [
      'after the encoding in its old form',
      '<head><meta http-equiv="Content-Type" content="text/html">',
      '</head>',
    ],
    ['before a first element, without a head', '<html>\n', '<link rel=stylesheet href=a><p>'],
    ['before a head that ends without having begun', '<html>', '</head><body>'],
  ])('tags are inserted early in the head: %s', (_, before, after) => {
    expect(edited(before + after, { noIndex: true })).toBe(before + noIndex + after);
  });

  test('in a head longer than half a mebibyte the script is inserted early, without a search for its end', () => {
    const begin = '<head><title>A</title>';
    const long = `<script>${'let a = 1;\n'.repeat(60_000)}</script></head><title>B</title>`;
    expect(edited(begin + long, { script })).toBe(begin + scriptTag + long);
  });
});

describe('replaces existing tags', () => {
  test.each([
    ['its title', '<head><title id=a>Old</title></head>', '<head><title id=a>New</title></head>'],
    [
      'the first of several titles',
      '<title>1</title><title>2</title>',
      '<title>New</title><title>2</title>',
    ],
    ['a title after the head', '<head></head><title>1</title>', '<head></head><title>New</title>'],
    [
      'no title within a drawing',
      '<head><svg><title>1</title></svg>',
      '<head><title>New</title><svg><title>1</title></svg>',
    ],
    ['no title of the body', '<p>1<title>2</title>', '<title>New</title><p>1<title>2</title>'],
    ['no title that nobody ends', '<head><title>1', '<head><title>New</title><title>1'],
  ])('a page gets the title of its project: %s', (_, page, wanted) => {
    expect(edited(page, { title: 'New' })).toBe(wanted);
  });

  test.each([
    [
      'its own',
      '<meta content="1" name=Description><p>',
      '<meta name="description" content="New"><p>',
    ],
    [
      'all of its own',
      '<meta name=description content=1><link><meta name=description content=2><p>',
      '<meta name="description" content="New"><link><p>',
    ],
    ['none before', '<head></head>', '<head><meta name="description" content="New"></head>'],
    [
      'none but in a script',
      "<script>'<meta name=description>'</script>",
      '<meta name="description" content="New"><script>\'<meta name=description>\'</script>',
    ],
  ])('a page gets one description: %s', (_, page, wanted) => {
    expect(edited(`${doctype}${page}`, { description: 'New' })).toBe(`${doctype}${wanted}`);
  });

  test.each(['noindex', 'none', 'NOFOLLOW, NOINDEX'])(
    'a page that says %s itself stays',
    (robots) => {
      const page = `<head><meta name="robots" content="${robots}"></head>`;
      expect(edited(page, { noIndex: true })).toBe(page);
    },
  );

  test('a title is escaped, and written in ASCII', () => {
    const title = '</title><script>"\'& é 💡 \u0000\u0085\ud800\n';
    const page = edited(`${doctype}<p>`, { title, description: title });
    const safe =
      '&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38; &#233; &#128161; &#65533;&#65533;&#65533; ';
    expect(page).toBe(
      `${doctype}<title>${safe}</title><meta name="description" content="${safe}"><p>`,
    );
  });
});

describe('link previews', () => {
  const preview = { url: 'https://site.test/', title: 'Project' };
  const namesIn = (page: string) =>
    [...page.matchAll(/(?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g)].map(
      ([, name, content]) => [name, content],
    );

  test('use the owner’s settings, and the project’s fields where none are set', () => {
    const page = edited(`${doctype}<p>`, { title: 'T', description: 'D', preview });
    expect(namesIn(page)).toEqual([
      ['og:title', 'T'],
      ['og:description', 'D'],
      ['og:type', 'website'],
      ['og:url', 'https://site.test/'],
      ['og:site_name', 'Project'],
      ['twitter:card', 'summary'],
    ]);
    expect(namesIn(edited(`${doctype}<p>`, { preview }))[0]).toEqual(['og:title', 'Project']);
  });

  test('copy the page’s title byte for byte', () => {
    const page = edited('<title>\n Caf\xe9 "A" &amp; B </title>', { description: 'D', preview });
    expect(namesIn(page)[0]).toEqual(['og:title', 'Caf\xe9 &quot;A&quot; &amp; B']);
  });

  test('keep the page’s own tags', () => {
    const own = '<meta property="OG:title" content="a"><meta name="twitter:card" content="b">';
    const page = edited(`<head>${own}</head>`, { title: 'T', preview });
    expect(page).toContain(own);
    expect(namesIn(page).map(([name]) => name)).toEqual([
      'og:type',
      'og:url',
      'og:site_name',
      'twitter:card',
    ]);
  });

  test('link to the oEmbed response where there is one', () => {
    const oEmbedUrl = 'https://app.test/oembed?url=a&format=json';
    expect(edited(`${doctype}<p>`, { preview: { ...preview, oEmbedUrl } })).toContain(
      '<link rel="alternate" type="application/json+oembed" href="https://app.test/oembed?url=a&#38;format=json"><p>',
    );
  });
});

describe('pages that are not edited', () => {
  const utf16 = Buffer.from('\ufeff<head></head>', 'utf16le');
  test.each([
    ['UTF-16, little end first', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
    ['UTF-16 without a mark', utf16.subarray(2)],
    ['ISO-2022-JP', Buffer.from('<head><title>\x1b$B<title>\x1b(B</title></head>')],
  ])('%s', (_, bytes) => {
    expect(Buffer.from(editPage(bytes, { script, title: 'New' })).equals(bytes)).toBe(true);
  });

  test.each([
    ['an element', '<article><h2>Card</h2></article>'],
    ['text', ' \n A <b>B</b>'],
    ['nothing', ''],
    ['a drawing', '<svg><title>A</title></svg>'],
    ['a template', '<template><html><head></head></html></template>'],
    ['a comment about pages', '<!-- <html> --><p>A'],
    ['a script about pages', '<script>let a = "<body>"</script><p>A'],
    ['elements with similar names', '<header>A</header><title-bar></title-bar>'],
    ['a style', '<style>p{}</style><p>A'],
  ])('a fragment: %s', (_, page) => {
    const head = { script, title: 'New', description: 'New', noIndex: true as const };
    expect(edited(page, head)).toBe(page);
  });

  test('bytes of a legacy encoding are unchanged around the insertion', () => {
    const page = '<head><title>\xa4\xa2\xff</title></head><p>\x80\x81';
    expect(edited(page, { noIndex: true })).toBe(page.replace('<head>', `<head>${noIndex}`));
  });
});

describe('running time', () => {
  const mebibytes = 4 * 1024 * 1024;
  const filled = (begin: string, piece: string) =>
    begin + piece.repeat((mebibytes - begin.length) / piece.length);
  const attributes = Array.from({ length: 600_000 }, (_, at) => `a${at.toString(36)}`).join(' ');
  test.each([
    ['attributes', `<meta ${attributes}`.slice(0, mebibytes)],
    ['tags', filled('<head>', '<meta name=description content=x>')],
    ['titles', filled('<head>', '<title></title>')],
    ['beginnings of tags', filled('<head>', '<')],
    ['beginnings of comments', filled('<head>', '<!--')],
    ['beginnings of scripts', filled('<head><script>', '<!--<script>')],
    ['ampersands', filled('<head><title>', '&am')],
    ['white space', filled('<head>', ' ')],
    ['elements', filled('<head></head>', '<b>x</b>')],
    ['elements without a head', filled('', '<b>x</b>')],
    ['beginnings of drawings', filled('', '<svg ')],
    ['beginnings of comments without a head', filled('', '<!--')],
  ])('4 MiB of %s take less than three seconds', (_, page) => {
    const bytes = Buffer.from(page, 'latin1');
    // Of this process alone: others may be busy too.
    const before = process.cpuUsage();
    const result = editPage(bytes, { title: 'New', description: 'New', noIndex: true, script });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
    expect(result.length).toBeGreaterThan(bytes.length - mebibytes / 2);
  });
});

describe('the project’s title, for a page without one', () => {
  const head = { fallbackTitle: 'A & B', script };
  const fallback = '<title>A &#38; B</title>';

  test.each([
    ['at the end of the head', '<head><meta charset=utf-8>', '</head><p>A'],
    ['before a page without a head', '<!doctype html>', '<h1>A</h1>'],
    ['of a page with a drawing that has a title', '<head>', '</head><svg><title>S</title></svg>'],
  ])('%s', (_, before, after) => {
    expect(edited(before + after, head)).toBe(before + scriptTag + fallback + after);
  });

  test('replaces a blank one', () => {
    expect(edited('<head><title> \n</title></head>', { fallbackTitle: 'A & B' })).toBe(
      '<head><title>A &#38; B</title></head>',
    );
  });

  test.each([
    ['in the head', '<head><title>Own</title>', '</head><p>A'],
    ['after the head', '<head></head><title>Own</title>', '<body>A'],
    ['in the body', '', '<h1>A</h1><title>Own</title>'],
    ['after a drawing', '', '<p><svg><title>S</title></svg><TITLE\n>Own</TITLE>'],
    ['after a drawing that nobody ends', '', '<p><svg><g><p></p><title>Own</title>'],
    ['after a comment about a drawing', '', '<p><!-- <svg> --><title>Own</title>'],
    ['after a script about a drawing', '', '<p><script>"<svg>"</script><title>Own</title>'],
    ['that nobody ends', '', '<title>Own'],
    [
      'beyond the limit of a head',
      '<head>',
      `<style>${' '.repeat(600_000)}</style><title>Own</title>`,
    ],
  ])('is not added to a page with its own %s', (_, before, after) => {
    expect(edited(before + after, { fallbackTitle: 'A' })).toBe(before + after);
  });

  test('a page without a title is searched in linear time', () => {
    const hostile = '<h1>' + '<svg '.repeat(200_000) + '</svg '.repeat(100_000);
    expect(edited(doctype + hostile, { fallbackTitle: 'A' })).toBe(
      `${doctype}<title>A</title>${hostile}`,
    );
    expect(edited(hostile, { fallbackTitle: 'A' })).toBe(hostile);
  });
});
