import { describe, expect, test } from '@jest/globals';
import { ReportReason } from '../../../../contract/abuse-report.ts';
import { ProjectType } from '../../../../contract/fields.ts';
import { errorPage, gonePage, notFoundPage } from '../../../../web/pages/visitor/refusal-pages.ts';
import { type ListedFile, listingPage } from '../../../../web/pages/visitor/listing-page.ts';
import { reportPage } from '../../../../web/pages/visitor/report-page.ts';
import { aListing, anOffer, brand, hostile } from './every-page.ts';

const noindex = '<meta name="robots" content="noindex">';
const temporary = { expiresAt: '2030-01-02T03:04:05.000Z' };

/** Where the content of a page leads. */
function hrefs(page: string): string[] {
  const [markup = ''] = page.split('</main>');
  return [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
}

function aFile(over: Partial<ListedFile> = {}): ListedFile {
  return { name: 'a.txt', href: './a.txt', bytes: 1, type: 'document', ...over };
}

describe('a README below a list of files', () => {
  const withReadme = (markup: string) =>
    listingPage(aListing({ readme: { name: 'README.md', href: './README.md/', markup } }));
  const script = '/_slipway/assets/diagrams-1A2B3C4D.js';

  test('has its diagrams drawn in a frame that its policy names', () => {
    const { html, csp } = withReadme('<pre><code class="language-mermaid">graph TD</code></pre>');
    expect(html).toContain(`<script type="module" src="${script}"></script>`);
    expect(html).toContain('data-diagram-frame="/_slipway/assets/diagram-frame-1A2B3C4D.html"');
    expect(csp).toContain(
      'frame-src https://survey.sites.example/_slipway/assets/diagram-frame-1A2B3C4D.html',
    );
  });

  test('loads nothing for diagrams that it does not have', () => {
    const { html, csp } = withReadme('<p>graph TD</p>');
    expect(html).not.toMatch(/diagram/);
    expect(csp).not.toContain('frame-src');
  });
});

describe('messages', () => {
  test.each([
    ['404', notFoundPage({ brand, kind: 'site' })],
    ['404', notFoundPage({ brand, kind: 'file' })],
    ['410', gonePage({ brand })],
    ['503', errorPage({ brand, status: 503, title: 'Resting', text: 'Try again in a minute.' })],
  ])('show their status %s, have noindex and cannot be framed', (status, page) => {
    expect(page.html).toContain(`<p class="status">${status}</p>`);
    expect(page.html).toContain(noindex);
    expect(page.csp).toContain("frame-ancestors 'none'");
  });

  test('link to the home page only if the site has one', () => {
    expect(hrefs(notFoundPage({ brand, kind: 'file' }).html)).toEqual(['/']);
    expect(hrefs(notFoundPage({ brand, kind: 'site' }).html)).toEqual([]);
  });

  test('say what an error is about', () => {
    const page = errorPage({ brand, status: 405, title: 'Not this way', text: 'Open it instead.' });
    expect(page.html).toContain('<h1>Not this way</h1>');
    expect(page.html).toContain('<p>Open it instead.</p>');
  });
});

test('published content can be reported, our own messages cannot', () => {
  const link = '<a href="/_slipway/report" rel="nofollow">Report</a>';
  for (const { html } of [listingPage(aListing()), anOffer()]) expect(html).toContain(link);
  expect(notFoundPage({ brand, kind: 'site' }).html).not.toContain('_slipway');
});

describe('reportPage', () => {
  const host = 'demo.sites.example';

  test('offers every reason, and posts to its own address', () => {
    const { html, csp } = reportPage({ brand, host });
    expect(html).toContain(`<bdi>${host}</bdi>`);
    expect(html).toContain('<form class="form" method="post" action="/_slipway/report">');
    const asked = [...html.matchAll(/name="reason" value="(\w+)" required>/g)];
    expect(asked.map(([, reason]) => reason)).toEqual(ReportReason.options);
    expect(html).not.toContain('role="alert"');
    expect(csp).toContain("form-action 'self'");
  });

  test('keeps the entered values and shows the error', () => {
    const fields = { reason: 'illegal', message: 'a <b>', url: '/a', email: 'x' };
    const { html } = reportPage({ brand, host, fields, error: 'email: no' });
    expect(html).toContain('value="illegal" required checked>');
    expect(html.match(/ checked>/g)).toHaveLength(1);
    expect(html).toContain('>a &lt;b&gt;</textarea>');
    expect(html).toContain('name="url" value="/a"');
    expect(html).toContain('type="email" value="x"');
    expect(html).toContain('role="alert">email: no<');
  });
});

describe('listingPage', () => {
  test('shows the number of files once, even if the title contains it', () => {
    const totals = { files: 3, bytes: 3082 };
    expect(listingPage(aListing({ totals })).html).toContain('>3 files, 3 kB<');
    const { html } = listingPage(aListing({ title: '3 files', totals }));
    expect(html).toContain('>3 kB<');
    expect(html).not.toContain('>3 files, 3 kB<');
  });

  test('lists folders, then files, in the order given', () => {
    const { html } = listingPage(
      aListing({
        folders: [
          { name: 'z', files: 1, bytes: 1 },
          { name: 'a', files: 2, bytes: 1 },
        ],
        files: [aFile({ href: './9.txt' }), aFile({ href: './1.txt' }), aFile({ href: './5.txt' })],
      }),
    );
    expect(hrefs(html)).toEqual(['./z/', './a/', './9.txt', './1.txt', './5.txt']);
  });

  test('is a table with headings, types in words and readable sizes', () => {
    const { html } = listingPage(aListing({ files: [aFile({ bytes: 1536, type: 'model3d' })] }));
    expect(html.match(/<th scope="col"/g)).toHaveLength(3);
    expect(html.match(/<th scope="row">/g)).toHaveLength(2);
    expect(html).toContain('<td class="kind">3D model</td><td class="number">1.5 kB</td>');
    expect(html).toContain('<td class="kind">2 files</td><td class="number">3 kB</td>');
    expect(html).toContain('3 files, 3 kB');
  });

  test.each(ProjectType.options)('draws an icon for %s once, and points at it', (type) => {
    const { html } = listingPage(aListing({ files: [aFile({ type }), aFile({ type })] }));
    expect(html.match(new RegExp(`<symbol id="icon-${type}"`, 'g'))).toHaveLength(1);
    expect(html.match(new RegExp(`<use href="#icon-${type}"`, 'g'))).toHaveLength(2);
  });

  test('leads back to every folder above, percent-encoded', () => {
    const { html } = listingPage(aListing({ folder: 'a b/ü#?/deep/', folders: [], files: [] }));
    expect(hrefs(html)).toEqual(['/', '/a%20b/', '/a%20b/%C3%BC%23%3F/']);
    expect(html).toContain('<li aria-current="page"><bdi>deep</bdi></li>');
    expect(html).toContain('<h1><bdi>deep</bdi></h1>');
    expect(html).toContain('This folder is empty.');
  });

  test('has no breadcrumb at the top', () => {
    expect(listingPage(aListing()).html).not.toContain('<nav');
  });

  test.each([
    ['javascript:alert(1)', './javascript:alert(1)'],
    ['data:text/html,x', './data:text/html,x'],
    ['//evil.example/x', './/'],
    ['/\\evil.example', './/\\evil.example'],
    ['/\t/evil.example', './/\t/evil.example'],
    ['?x', './?x'],
    ['#x', './#x'],
  ])('keeps the link %j on this site', (href, kept) => {
    const [link = ''] = hrefs(
      listingPage(aListing({ folders: [], files: [aFile({ href })] })).html,
    );
    expect(link.startsWith(kept)).toBe(true);
    const resolved = new URL(link, 'https://site.example/folder/');
    expect(resolved.origin).toBe('https://site.example');
  });

  test.each(['a.txt', './a.txt', '../a.txt', '/a/b.txt'])('leaves the meaning of %s', (href) => {
    const [link = ''] = hrefs(
      listingPage(aListing({ folders: [], files: [aFile({ href })] })).html,
    );
    const base = 'https://site.example/folder/x/';
    expect(new URL(link, base).href).toBe(new URL(href, base).href);
  });

  test('accepts a folder name with half a surrogate pair', () => {
    const { html } = listingPage(
      aListing({ folders: [{ name: 'a\uD800', files: 1, bytes: 1 }], files: [] }),
    );
    expect(hrefs(html)).toEqual(['./a%EF%BF%BD/']);
  });

  test('shows the expiry of a temporary bundle, and has noindex', () => {
    const { html } = listingPage(aListing({ temporary }));
    expect(html).toContain(
      '<time datetime="2030-01-02T03:04:05.000Z">2 January 2030 at 03:04 UTC</time>',
    );
    expect(html).toContain(noindex);
    expect(listingPage(aListing()).html).not.toContain('Temporary link');
    expect(listingPage(aListing()).html).not.toContain(noindex);
    expect(listingPage(aListing({ noIndex: true })).html).toContain(noindex);
  });

  test('shows thousands of entries', () => {
    const files = Array.from({ length: 5000 }, (_, index) =>
      aFile({ name: `${index}.txt`, href: `./${index}.txt` }),
    );
    expect(hrefs(listingPage(aListing({ folders: [], files })).html)).toHaveLength(5000);
  });

  test('may be framed by its own site only', () => {
    expect(listingPage(aListing()).csp).toContain("frame-ancestors 'self'");
  });
});

describe('pictures of a folder', () => {
  const hull = aFile({ name: 'hull.png', href: './hull.png', bytes: 2048, type: 'image' });

  test('are shown in a grid, each with a link to itself, and not in the table', () => {
    const { html } = listingPage(aListing({ files: [aFile(), hull], zipHref: '/_slipway/zip' }));
    expect(hrefs(html)).toEqual(['/_slipway/zip', './drawings/', './a.txt', './hull.png']);
    expect(html).toContain(
      '<a href="./hull.png" data-name="hull.png"><img src="./hull.png" alt="" loading="lazy" decoding="async">',
    );
    expect(html).toContain('<h2>Pictures</h2>');
    expect(html.match(/<th scope="row">/g)).toHaveLength(2);
  });

  test('are shown without a table if there are no other files', () => {
    const { html } = listingPage(aListing({ folders: [], files: [hull] }));
    expect(html).not.toContain('<table');
    expect(html).not.toContain('<h2>');
  });

  test('load the script that opens them; a folder without pictures loads none', () => {
    const { html, csp } = listingPage(aListing({ files: [hull] }));
    expect(html).toContain('<script type="module" src="/_slipway/assets/gallery-1A2B3C4D.js">');
    expect(csp).toContain('script-src https://survey.sites.example/_slipway/assets/;');
    const without = listingPage(aListing());
    expect(without.html).not.toContain('<script');
    expect(without.csp).not.toContain('script-src');
  });

  test.each([
    ['a format that browsers do not show', { name: 'hull.tiff' }],
    ['a picture too large for a list of them', { bytes: 9 * 1024 * 1024 }],
  ])('leave out %s', (_, over) => {
    const { html } = listingPage(aListing({ files: [{ ...hull, ...over }] }));
    expect(html).not.toContain('<img');
    expect(html).toContain('<td class="kind">Image</td>');
  });

  test('keep a hostile name as text', () => {
    const name = `${hostile}.png`;
    const { html } = listingPage(aListing({ files: [{ ...hull, name, href: name }] }));
    expect(html).not.toContain('<img src=x');
    expect(html).not.toMatch(/[\u202E\u2028]/);
  });
});

describe('downloading all of a folder', () => {
  test('is one ZIP, if it is offered', () => {
    const link =
      '<a class="button quiet" href="/_slipway/zip/a%20b" rel="nofollow">Download all</a>';
    expect(listingPage(aListing({ zipHref: '/_slipway/zip/a%20b' })).html).toContain(link);
    expect(listingPage(aListing({ zipHref: undefined })).html).not.toContain('Download');
  });

  test('is file by file, if a ZIP would be too large', () => {
    const { html } = listingPage(aListing({ zipHref: null }));
    expect(html).toContain('Download them one by one.');
    expect(html).not.toContain('Download all');
  });
});

describe('offerPage', () => {
  test('names the file and offers a download under that name', () => {
    const { html } = anOffer();
    expect(html).toContain('<h1><bdi>a.xlsx</bdi></h1>');
    expect(html).toContain('<a class="button" href="./a.xlsx" download="a.xlsx">Download</a>');
    expect(html).not.toContain('application/');
    expect(html).toContain('2 kB');
  });

  test.each([
    ['backup.tar.xz', 'Archive'],
    ['setup.exe', 'Program'],
    ['installer.dmg', 'Disk image'],
    ['ship.unknown', 'File'],
  ])('calls %s by its kind: %s', (name, kind) => {
    const file = { name, href: `/${name}`, bytes: 9, type: 'files' } as const;
    expect(anOffer({ file }).html).toContain(`<dt>Type</dt><dd>${kind}</dd>`);
  });

  test.each([
    ['ship.eps', 'open it with Adobe Illustrator, Inkscape or GIMP.'],
    ['ship.WMA', 'open it with VLC or Windows Media Player.'],
    ['ship.flv', 'open it with VLC.'],
    ['backup.tar.xz', 'open it with 7-Zip, or The Unarchiver on a Mac.'],
    ['ship.unknown', 'open it with a program on your device.'],
  ])('of %s says: %s', (name, words) => {
    const file = { name, href: `/${name}`, bytes: 9, type: 'files' } as const;
    expect(anOffer({ file }).html).toContain(words);
  });

  test('of an empty file says so', () => {
    const file = { name: 'a.mp4', href: '/a.mp4', bytes: 0, type: 'video' } as const;
    expect(anOffer({ file }).html).toContain('<p class="muted">This file is empty.</p>');
  });

  test('has noindex for a temporary file, and on request', () => {
    expect(anOffer({ temporary }).html).toContain(noindex);
    expect(anOffer({ noIndex: true }).html).toContain(noindex);
    expect(anOffer().html).not.toContain(noindex);
  });
});
