import { describe, expect, test } from '@jest/globals';
import { receiptPage, uploadedPage, uploadPage } from '../../../../web/pages/upload-page.ts';
import { uploadProblemPage } from '../../../../web/pages/upload-problem-page.ts';
import { anUpload, brand, hostile, uploadProblems } from './every-page.ts';

const page = uploadPage(anUpload());
const { token } = anUpload();

describe('uploadPage', () => {
  test('posts to its own address without script, and puts to the link with it', () => {
    expect(page.html).toContain(
      `action="/upload/${token}" method="post" enctype="multipart/form-data"`,
    );
    expect(page.html).toContain(`data-verb="PUT" data-to="/v1/upload-links/${token}"`);
    expect(page.csp).toContain("form-action 'self'");
    expect(page.html).toContain('<meta name="robots" content="noindex">');
  });

  test('may connect only to its own host and to storage', () => {
    expect(page.csp).toContain("connect-src 'self' https://bucket.storage.example;");
  });

  test('shows its purpose, its number of uses, its expiry and its size limit', () => {
    expect(page.html).toContain('<h1>Upload files for <bdi>Harbour survey</bdi></h1>');
    expect(page.html).toMatch(
      /This link works once, until <time datetime="2030-01-02T03:04:05.000Z">2 January 2030 at 03:04 UTC<\/time>/,
    );
    expect(page.html).toContain('Up to 25 MB.');
    expect(page.html).toContain('Up to 4.3 MB without JavaScript.');
    expect(uploadPage(anUpload({ title: null })).html).toContain('<h1>Upload files</h1>');
  });

  test.each([
    [false, 'It gets its own address', 'Save the address: it is shown only here.'],
    [true, 'It replaces what is online now.', 'The address is the same as before.'],
  ])('says what happens to the existing files: %s', (replaces, before, after) => {
    const { html } = uploadPage(anUpload({ replaces }));
    expect(html).toContain(before);
    expect(html).toContain(after);
    expect(html).toContain('<bdi>you@example.org</bdi> asks you for files.');
  });

  test('shows no size limit if the plan has none', () => {
    const limits = { ...anUpload().limits, maxBytes: Number.POSITIVE_INFINITY };
    const { html } = uploadPage(anUpload({ limits }));
    expect(html).toContain('Of any size.');
    expect(html).toContain('data-max-bytes="Infinity"');
  });

  test('announces an error to screen readers, and shows none without an error', () => {
    const problem = { error: 'Not <this>.', nextStep: 'Do that.' };
    expect(uploadPage(anUpload({ problem })).html).toContain(
      'role="alert"><div><strong>Not &lt;this&gt;.</strong>Do that.</div></div>',
    );
    expect(page.html).toContain('role="alert"></div>');
  });
});

test('uploadedPage leads to what is published', () => {
  const url = 'https://calm-harbour-k7m2.sites.example';
  const { html } = uploadedPage({ brand, title: 'Tides', url });
  expect(html).toContain(`<a href="${url}" target="_blank" rel="noopener noreferrer">`);
  expect(html).toContain('class="zone afloat claim"');
});

test.each([
  ['unusable', 404, false],
  ['not-in-plan', 403, true],
  ['rate-limited', 429, true],
] as const)('uploadProblemPage tells for %s the status %i', (kind, status, leadsBack) => {
  const { html } = uploadProblemPage({ brand, kind, detail: 'Why & how.' });
  expect(html).toContain(`<p class="status">${status}</p>`);
  expect(html).toContain('<p>Why &amp; how.</p>');
  expect(html.includes('href=""')).toBe(leadsBack);
  expect(uploadProblems).toContain(kind);
});

describe('the page of a file request', () => {
  const request = {
    message: `Two lines\n${hostile}`,
    accept: ['.pdf', '.jpg'],
    askName: true,
  };
  const { html } = uploadPage(anUpload({ request }));

  test('says who asks, for what, and by when', () => {
    expect(html).toContain('<bdi>you@example.org</bdi> asks you for files.');
    expect(html).toContain('<bdi>Two lines</bdi><br>');
    expect(html).toContain('Files that end in .pdf, .jpg. Open until <time');
    expect(html).toContain('accept=".pdf,.jpg"');
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('works once');
  });

  test('asks for what its owner needs, and takes the rest', () => {
    expect(html).toMatch(/name="senderName"[^>]* required>/);
    expect(html).toMatch(/name="senderEmail" type="email"[^>]*"email">/);
  });

  test('the receipt without JavaScript has number, time and names', () => {
    const files = [{ path: `${hostile}.pdf`, size: 2048 }];
    const receivedAt = '2030-01-02T03:04:05.000Z';
    const receipt = { number: 7, receivedAt, files, fileCount: 13, bytes: 2048 };
    const page = receiptPage({ brand, receipt });
    expect(page.html).toContain('Receipt number 7, <time');
    expect(page.html).toContain('13 files, 2 kB');
    expect(page.html).toContain('<li>and 12 more</li>');
    expect(page.html).not.toContain('<img src=x');
  });
});
