import { expect, test } from '@jest/globals';
import { readWebArchive } from '../../../../../web/viewers/parts/web-archive.ts';

const archive = (...parts: string[][]) =>
  [
    'From: <Saved by Blink>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related;',
    '\ttype="text/html"; boundary="----=_b"',
    '',
    'An archive.',
    '',
    ...parts.flatMap((part) => ['------=_b', ...part]),
    '------=_b--',
  ].join('\r\n');
const page = [
  'Content-Type: text/html; charset="windows-1252"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p class=3Dx>Fl=FCsse=',
  ' und</p>',
];
const picture = (name: string) => [
  name,
  'Content-Type: image/png',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBO',
  'Rw==',
];

test('an archive has its page and its pictures by their names', () => {
  const read = readWebArchive(
    Buffer.from(
      archive(
        page,
        picture('Content-Location: file:///C:/a_files/b.png'),
        picture('Content-ID: <c@d>'),
      ),
    ),
  );
  expect(
    Buffer.from(read?.page ?? [])
      .toString('latin1')
      .trim(),
  ).toBe('<p class=x>Flüsse und</p>');
  expect(read?.charset).toBe('windows-1252');
  expect([...(read?.pictures ?? [])]).toEqual([
    ['b.png', 'data:image/png;base64,iVBORw'],
    ['cid:c@d', 'data:image/png;base64,iVBORw'],
  ]);
});

test.each([
  ['a page alone', '<html>Content-Type: text/html', undefined],
  ['an archive without a page', archive(picture('X: y')), undefined],
  ['a page with a head', 'Content-Type: text/html\n\n<p>8</p>', '<p>8</p>'],
])('%s', (_, text, shown) => {
  const read = readWebArchive(Buffer.from(text));
  expect(read && Buffer.from(read.page).toString()).toBe(shown);
});

test.each([
  [
    'archives in one another',
    Array.from(
      { length: 60 },
      (_, at) => `Content-Type: multipart/a; boundary=b${at}\n\n--b${at}\n`,
    ).join(''),
  ],
  ['many parts', `Content-Type: multipart/a; boundary=b\n\n${'--b\n'.repeat(300_000)}`],
  [
    'a part of spaces without an empty line',
    `Content-Type: multipart/a; boundary=b\n\n--b${' '.repeat(300_000)}\nx\n--b--`,
  ],
  ['empty lines', `Content-Type: multipart/a; boundary=b\n${' \n'.repeat(400_000)}`],
])('%s take less than two seconds', (_, text) => {
  const begun = process.cpuUsage();
  expect(readWebArchive(Buffer.from(text))).toBeUndefined();
  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(2);
});
