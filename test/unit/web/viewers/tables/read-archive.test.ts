import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { readArchive } from '../../../../../web/viewers/tables/read-archive.ts';
import { textOf } from '../../../../../web/viewers/tables/sheet.ts';
import { aZstd } from '../../../../fixtures/archives/sample-zstd.ts';
import { aTar } from '../../../../fixtures/archives/sample-tar.ts';

const open = async (name: string, bytes: Uint8Array) =>
  readArchive({ name, bytes: new Uint8Array(bytes), isCut: false });

async function listed(name: string, bytes: Uint8Array): Promise<string[]> {
  const { sheets } = await open(name, bytes);
  return (sheets[0]?.rows ?? []).slice(1).map((row) => row.map(textOf).join(' | '));
}

const long = `${'deep/'.repeat(40)}quay.txt`;
const tar = aTar(
  { path: 'tides/', kind: '5' },
  { path: 'tides/north.csv', content: Buffer.alloc(1234, 'a'), changed: 1_792_000_000 },
  { path: 'x', kind: 'L', content: Buffer.from(`${long}\0`) },
  { path: 'short', content: Buffer.from('abc') },
  { path: 'x', kind: 'x', content: Buffer.from('19 path=s\u00fcd/k.md\n9 size=2\n') },
  { path: 'other', content: Buffer.from('ab') },
  { path: 'link', kind: '2' },
);
const rows = ['tides/north.csv | 1,234 | 2026-10-14 17:46', `${long} | 3 | `, 'süd/k.md | 2 | '];

test.each([
  ['a.tar', tar],
  ['a.tgz', gzipSync(tar)],
  ['a.tar.gz', gzipSync(tar)],
  ['a.tar.zst', aZstd(tar)],
])('the files in %s are listed, with long names', async (name, bytes) => {
  expect(await listed(name, bytes)).toEqual(rows);
  expect(await open(name, bytes)).toMatchObject({
    preamble: ['3 files, 1,239 bytes when unpacked'],
    sheets: [{ isCut: false, rows: { 0: ['Name', 'Bytes', 'Changed (UTC)'] } }],
  });
});

test('a file of Zstandard is one file, counted up to a limit, and needs no more room than usual', async () => {
  expect(await listed('quay.txt.zst', aZstd(Buffer.from('Tide')))).toEqual(['quay.txt | 4 | ']);
  const cut = aZstd(Buffer.alloc(40), { repeated: 1 });
  expect(await listed('quay.txt.zst', cut)).toEqual(['quay.txt | 131,112 | ']);
  const wide = aZstd(Buffer.from('Tide'), { window: 0xa0 });
  await expect(open('quay.txt.zst', wide)).rejects.toThrow('too large');
});

test('an archive that ends in a file, or cannot be unpacked to its end, is listed up to there', async () => {
  const packed = gzipSync(
    aTar(
      { path: 'a', content: Buffer.alloc(100) },
      { path: 'b', content: Buffer.alloc(90_000, 7) },
    ),
  );
  for (const bytes of [tar.subarray(0, 1100), packed.subarray(0, packed.length - 20)]) {
    const { sheets } = await open('a.tar', bytes);
    expect(sheets[0]).toMatchObject({ isCut: true });
    expect(sheets[0]?.rows.length).toBeGreaterThan(1);
  }
});

test('files with gaps have the length that they have outside', async () => {
  const gnu = aTar({ path: 'gaps', kind: 'S', content: Buffer.alloc(512) }, { path: 'next' });
  gnu[482] = 1;
  gnu.write('00000010000', 483);
  // The sum of the head's bytes has changed.
  const sum = gnu
    .subarray(0, 512)
    .reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  gnu.write(sum.toString(8).padStart(6, '0'), 148);
  const list = Buffer.concat([gnu.subarray(0, 512), Buffer.alloc(512), gnu.subarray(512)]);
  expect(await listed('a.tar', list)).toEqual(['gaps | 4,096 | ', 'next | 0 | ']);
  const pax = Buffer.from('24 GNU.sparse.name=gaps\n28 GNU.sparse.realsize=4096\n');
  const posix = aTar(
    { path: 'x', kind: 'x', content: pax },
    { path: 'GNUSparseFile.0/gaps', content: Buffer.alloc(700) },
    { path: 'next' },
  );
  expect(await listed('a.tar', posix)).toEqual(['gaps | 4,096 | ', 'next | 0 | ']);
});

test('a packed file that is no archive is one row', async () => {
  expect(await listed('log.txt.gz', gzipSync(Buffer.alloc(5000, 'a')))).toEqual([
    'log.txt | 5,000 | ',
  ]);
});

test('an archive in a bundle is listed too', async () => {
  const zip = new JSZip().file('a/b.txt', 'abc');
  zip.folder('empty');
  expect(await listed('a.zip', await zip.generateAsync({ type: 'uint8array' }))).toEqual([
    'a/b.txt | 3 | ',
  ]);
});

test.each([
  [
    'CP437',
    ['Gr\x94\xe1e der H\x84user.txt', 'M\x81ller.txt'],
    ['Größe der Häuser.txt', 'Müller.txt'],
  ],
  [
    'Shift JIS',
    ['\x90\x7d\x96\xca\x82\xcc\x95\xf1\x8d\x90.txt', '\x93\x8c\x8b\x9e.txt'],
    ['図面の報告.txt', '東京.txt'],
  ],
  ['UTF-8 without a mark', ['S\xc3\xbcd.txt'], ['Süd.txt']],
])('names of a ZIP in %s are read as those of an upload', async (_, written, names) => {
  const zip = new JSZip();
  const stand = (name: string, at: number) => `${at}`.padEnd(name.length, '_');
  for (const [at, name] of written.entries()) zip.file(stand(name, at), 'tide');
  let bytes = Buffer.from(await zip.generateAsync({ type: 'uint8array' })).toString('latin1');
  for (const [at, name] of written.entries()) bytes = bytes.replaceAll(stand(name, at), name);
  expect(await listed('a.jar', Buffer.from(bytes, 'latin1'))).toEqual(
    names.map((name) => `${name} | 4 | `),
  );
});

test.each([
  ['another file', Buffer.from('no archive'.repeat(100))],
  [
    'a name of two megabytes',
    aTar({ path: 'x', kind: 'L', content: Buffer.alloc(2_000_000, 'a') }),
  ],
])('%s is refused', async (_, bytes) => {
  await expect(open('a.tar', bytes)).rejects.toThrow(/damaged|too long/);
});
