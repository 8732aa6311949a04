import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { CodedError } from '../../../../core/errors.ts';
import { archiveReaders } from '../../../fixtures/archives/archive-readers.ts';
import { hostileArchives } from '../../../fixtures/archives/hostile-archives.ts';
import {
  buildZip,
  bytesOf,
  concat,
  type EntrySpec,
  extraField,
  numbers,
  unicodePath,
  type ZipSpec,
  zip64Extra,
} from '../../../fixtures/archives/zip-builder.ts';

const limits = { maxEntries: 5, maxTotalBytes: 10_000_000 };
const wide = 0xffff_ffff;
const helloChecksum = crc32('hello');
const rand = Uint8Array.from({ length: 64 }, (_, index) => (index * 97) % 251);

/** A ZIP of one entry `a.txt` that says `hello`, but for what is given. */
function one(entry: Partial<EntrySpec>, spec: Partial<ZipSpec> = {}): Uint8Array {
  return buildZip({ entries: [{ name: 'a.txt', content: 'hello', ...entry }], ...spec });
}

/** A ZIP of empty files of these names; a final slash makes a folder. */
function named(...names: (string | Uint8Array)[]): Uint8Array {
  return buildZip({ entries: names.map((name) => ({ name })) });
}

/** `a.txt` with a data descriptor of these numbers. */
function descriptor(...values: number[]): Uint8Array {
  return one({ descriptor: numbers(...values.map((value) => [4, value] as const)) });
}

/** The one refusal that every way to read the archive gives. */
async function refusalOf(zip: Uint8Array): Promise<CodedError> {
  const [first, ...others] = await Promise.all(
    archiveReaders.map(async ([way, read]) => {
      const refusal: unknown = await read(zip, limits).catch((error: unknown) => error);
      if (refusal instanceof CodedError) return refusal;
      throw new Error(`The archive was not refused by a code ${way}.`, { cause: refusal });
    }),
  );
  if (first === undefined) throw new Error('Nothing reads archives.');
  for (const other of others) expect(other.body).toEqual(first.body);
  return first;
}

type Refusals = [name: string, zip: Uint8Array, message: string, code?: string][];

const nestedZip = buildZip({ entries: [{ name: 'in.txt', content: 'x' }] });
const endRecord = numbers([4, 0x06054b50], [8, 0], [8, 0], [2, 0]);

const endRecords: Refusals = [
  ['nothing', new Uint8Array(), 'no end record'],
  ['text', bytesOf('<html>'), 'no end record'],
  ['an end record alone', buildZip({ entries: [] }), 'holds no file'],
  ['only folders', named('a/', 'a/b/'), 'holds no file'],
  ['a cut end record', one({}).slice(0, -1), 'cut short'],
  ['a cut comment', one({}, { comment: bytesOf('abc') }).slice(0, -1), 'cut short'],
  ['a cut directory', one({}).slice(0, 60), 'no end record'],
  ['bytes after the end', one({}, { suffix: bytesOf('<script>') }), 'after its end'],
  ['bytes before the start', one({}, { prefix: bytesOf('#!/bin/sh\n') }), 'before its first entry'],
  ['bytes before, offsets unmoved', concat([bytesOf('MZ'), one({})]), 'before its first entry'],
  ['bytes before an empty directory', buildZip({ entries: [], prefix: rand }), 'before its first'],
  [
    'bytes before the directory',
    one({}, { beforeDirectory: rand }),
    'bytes that belong to no entry',
  ],
  ['bytes after the directory', one({}, { afterDirectory: rand }), 'central directory'],
  ['an end record in the comment', one({}, { comment: endRecord }), 'second end record'],
  [
    'an end record in the comment that does not fit',
    one({}, { comment: concat([endRecord, rand]) }),
    'second end record',
  ],
  [
    'a bare end signature in the comment',
    one({}, { comment: bytesOf('PK\x05\x06') }),
    'second end record',
  ],
  [
    'a whole second archive in the comment',
    one({}, { comment: named('evil.html') }),
    'second end record',
  ],
  [
    'two end records that fit, the earlier inside an entry',
    buildZip({
      entries: [{ name: 'x', content: concat([endRecord.slice(0, 20), numbers([2, 47 + 22])]) }],
    }),
    'second end record',
  ],
  ['a disk number', one({}, { end: { disk: 1 } }), 'one part of several'],
  ['a directory on another disk', one({}, { end: { directoryDisk: 1 } }), 'one part of several'],
  ['entries on other disks', one({}, { end: { count: 2 } }), 'one part of several'],
  ['an entry on another disk', one({ central: { disk: 1 } }), 'another part'],
  ['too high a count', one({}, { end: { count: 2, countHere: 2 } }), 'cut short'],
  ['too low a count', one({}, { end: { count: 0, countHere: 0 } }), 'larger than its entries'],
  ['a directory beyond the file', one({}, { end: { directoryAt: 9999 } }), 'central directory'],
  ['a directory of another size', one({}, { end: { directoryBytes: 9 } }), 'central directory'],
  ['a broken central signature', one({ central: { signature: 1 } }), 'damaged central directory'],
  ['a central name beyond the directory', one({ central: { nameBytes: 999 } }), 'cut short'],
  ['a central comment beyond it', one({ central: { commentBytes: 99 } }), 'cut short'],
];

const zip64: Refusals = [
  ['ones without a ZIP64 record', one({}, { end: { directoryAt: wide } }), 'promises a ZIP64'],
  ['a count of ones without one', one({}, { end: { count: 0xffff } }), 'promises a ZIP64'],
  ['a locator that leads elsewhere', one({}, { zip64: { locatorAt: 0 } }), 'ZIP64 locator'],
  ['a locator beyond 2^53', one({}, { zip64: { locatorAt: 2 ** 60 } }), 'ZIP64 locator'],
  ['a locator of more disks', one({}, { zip64: { diskCount: 2 } }), 'ZIP64 locator'],
  ['a locator on another disk', one({}, { zip64: { locatorDisk: 1 } }), 'ZIP64 locator'],
  ['a broken ZIP64 signature', one({}, { zip64: { endSignature: 1 } }), 'ZIP64 end record'],
  ['a ZIP64 record of another size', one({}, { zip64: { endBytes: 56 } }), 'ZIP64 end record'],
  ['a ZIP64 count above its entries', one({}, { zip64: { count: 2, countHere: 2 } }), 'cut short'],
  ['a ZIP64 disk', one({}, { zip64: { disk: 1 } }), 'one part of several'],
  ['a ZIP64 directory elsewhere', one({}, { zip64: { directoryAt: 1 } }), 'central directory'],
  ['two counts', one({}, { zip64: {}, end: { count: 2 } }), 'two values for its entry count'],
  ['two offsets', one({}, { zip64: {}, end: { directoryAt: 1 } }), 'two values'],
  ['a size of ones and no field', one({ central: { bytes: wide } }), 'ZIP64 fields'],
  [
    'a short field',
    one({ central: { bytes: wide }, extra: extraField(1, rand.slice(0, 4)) }),
    'ZIP64 fields',
  ],
  [
    'a field for another number',
    one({ central: { bytes: wide, compressedBytes: wide }, extra: zip64Extra(5) }),
    'ZIP64 fields',
  ],
  ['a field that contradicts a plain size', one({ extra: zip64Extra(5, 6) }), 'ZIP64 fields'],
  ['two fields', one({ extra: concat([zip64Extra(5, 5), zip64Extra(6, 6)]) }), 'extra fields'],
  [
    'a lie in the field',
    one({ method: 8, central: { bytes: wide }, extra: zip64Extra(6), local: { bytes: 6 } }),
    'another size',
  ],
  [
    'a local field that disagrees',
    one({ local: { bytes: wide, compressedBytes: wide }, localExtra: zip64Extra(5, 6) }),
    'local header with another size',
  ],
];

const entries: Refusals = [
  ['a cut Unicode Path', one({ extra: extraField(0x7075, Uint8Array.of(1, 2)) }), 'Unicode Path'],
  [
    'a folder with compressed content',
    one({ name: 'a/', method: 8, content: '', data: rand }),
    'folder with content',
  ],
  [
    'a folder with a size',
    one({ name: 'a/', method: 8, content: '', central: { bytes: 5 } }),
    'folder with content',
  ],
  ['an encrypted entry', one({ flags: 1 }), 'encrypted'],
  ['strong encryption', one({ flags: 0x40 }), 'encrypted'],
  ['a masked directory', one({ flags: 0x2000 }), 'encrypted'],
  ['WinZip AES', one({ method: 99 }), 'encrypted'],
  ['patch data', one({ flags: 0x20 }), 'method other than'],
  ['Deflate64', one({ method: 9 }), 'method other than'],
  ['LZMA', one({ method: 14 }), 'method other than'],
  ['a symbolic link', one({ content: '/etc/passwd', mode: 0o120777 }), 'symbolic link'],
  ['a character device', one({ mode: 0o020666 }), 'a device'],
  ['a block device', one({ mode: 0o060666 }), 'a device'],
  ['a pipe that is a folder', one({ name: 'a/', content: '', mode: 0o010666 }), 'a folder by'],
  ['a socket', one({ mode: 0o140666 }), 'special file'],
  [
    'a link from a writer that claims DOS',
    one({ mode: 0o120777, central: { madeBy: 20 } }),
    'link',
  ],
  ['a folder mode on a file', one({ mode: 0o040755 }), 'a folder by its'],
  ['a file mode on a folder', one({ name: 'a/', content: '', mode: 0o100644 }), 'a folder by its'],
  ['a DOS folder bit on a file', one({ central: { externalAttributes: 0x10 } }), 'a folder by its'],
  ['a folder with content', one({ name: 'a/' }), 'folder with content'],
  [
    'a folder with a checksum',
    one({ name: 'a/', content: '', central: { crc32: 1 } }),
    'folder with content',
  ],
  ['damaged extra fields', one({ extra: rand.slice(0, 3) }), 'damaged extra fields'],
  [
    'an extra field beyond its header',
    one({ extra: extraField(9, rand, 99) }),
    'damaged extra fields',
  ],
  [
    'damaged local extra fields',
    one({ localExtra: rand.slice(0, 3) }),
    'damaged extra fields in its local header',
  ],
  [
    'a name that is not the UTF-8 it promises',
    one({ name: Uint8Array.of(0x61, 0xff), flags: 0x800 }),
    'not the UTF-8',
  ],
  [
    'overlong UTF-8',
    one({ name: Uint8Array.of(0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61), flags: 0x800 }),
    'not the UTF-8',
  ],
  ['a way out in a Unicode Path', one({ extra: unicodePath('a.txt', '../b.txt') }), '".." segment'],
  [
    'a Unicode Path for another header',
    one({ extra: unicodePath('b.txt', 'a.txt') }),
    'Unicode Path',
  ],
  [
    'a Unicode Path of another version',
    one({ extra: unicodePath('a.txt', 'a.txt', 2) }),
    'Unicode Path',
  ],
  ['an empty Unicode Path', one({ extra: extraField(0x7075, new Uint8Array()) }), 'Unicode Path'],
  [
    'another name in a local Unicode Path',
    one({ localExtra: unicodePath('a.txt', 'b') }),
    'Unicode Path',
  ],
  [
    'a second Unicode Path',
    one({ extra: concat([unicodePath('a.txt', 'a.txt'), unicodePath('a.txt', 'b')]) }),
    'extra fields',
  ],
];

const paths: Refusals = [
  ['a parent folder', named('../a'), '".."'],
  ['a parent folder as a folder', named('a/../'), '".."'],
  ['an absolute path', named('/a'), 'absolute'],
  ['a backslash', named('a\\b'), 'backslash'],
  ['a drive letter', named('C:/a'), 'drive letter'],
  ['NUL', named('a.html\0.png'), 'control character'],
  ['a name of nothing', named(''), 'no name'],
  ['a folder named /', named('/'), 'no name'],
  ['33 segments', named(`${'a/'.repeat(32)}b`), '32 segments'],
  ['a path of 1,025 bytes', named('a'.repeat(1025)), '1024 bytes'],
  ['a bad path among dropped files', named('a', '__MACOSX/../../b'), '".."'],
  ['a duplicate', named('a', 'b', 'a'), 'same path'],
  ['a duplicate by normalisation', named('e\u0301', '\u00e9'), 'same path'],
  ['a duplicate in another encoding', named('\u00e9', Uint8Array.of(0x82)), 'same path'],
  ['a duplicate among dropped files', named('a', '.DS_Store', '.DS_Store'), 'same path'],
  ['a file that is a folder', named('a', 'a/b'), 'below the file'],
  ['a file beside a folder of its name', named('b/c', 'b/c/'), 'below the file'],
  ['a reserved path', named('index.html', '_slipway/unlock'), 'reserved', 'FILE_TYPE_REFUSED'],
  ['a reserved path in capitals', named('a', '_SLIPWAY/a'), 'reserved', 'FILE_TYPE_REFUSED'],
  ['a reserved top folder', named('_slipway/index.html'), 'reserved', 'FILE_TYPE_REFUSED'],
  [
    'a path that is reserved below the top folder',
    named('site/index.html', 'site/_slipway/x'),
    'reserved',
    'FILE_TYPE_REFUSED',
  ],
];

const headers: Refusals = [
  ['another local name', one({ localName: 'b.txt' }), 'another name'],
  ['a local name of another length', one({ localName: 'a.txt2' }), 'another name'],
  ['other local flags', one({ local: { flags: 2 } }), 'another set of flags'],
  ['another local method', one({ local: { method: 8 } }), 'another method'],
  ['another local checksum', one({ local: { crc32: 1 } }), 'another checksum'],
  ['no local checksum and no descriptor', one({ local: { crc32: 0 } }), 'another checksum'],
  ['another local size', one({ local: { bytes: 4 } }), 'another size'],
  ['another local compressed size', one({ local: { compressedBytes: 4 } }), 'another size'],
  [
    'another local size beside a descriptor',
    one({ descriptor: 'signed', local: { bytes: 4 } }),
    'another size',
  ],
  ['no local header there', one({ local: { signature: 1 } }), 'no local header'],
  ['a local header past the end', one({ central: { localHeaderAt: 9999 } }), 'before its first'],
  [
    'a second local header past the end',
    buildZip({
      entries: [{ name: 'a' }, { name: 'b', centralOnly: true, central: { localHeaderAt: 9999 } }],
    }),
    'bytes that belong to no entry',
  ],
  ['local extra fields past the end', one({ local: { extraBytes: 0xffff } }), 'cut short'],
  [
    'a gap between entries',
    buildZip({ entries: [{ name: 'a', gapAfter: rand }, { name: 'b' }] }),
    'bytes that belong to no entry',
  ],
  ['a missing descriptor', one({ flags: 8 }), 'data descriptor'],
  ['a damaged descriptor', one({ descriptor: rand.slice(0, 16) }), 'data descriptor'],
  ['a descriptor of an odd length', one({ descriptor: rand.slice(0, 13) }), 'data descriptor'],
  [
    'a descriptor without its flag',
    one({ descriptor: 'signed', flags: 0, local: {} }),
    'another checksum',
  ],
  [
    'a descriptor with another signature',
    descriptor(0x08074b51, helloChecksum, 5, 5),
    'data descriptor',
  ],
  ['a descriptor with another checksum', descriptor(0x08074b50, 1, 5, 5), 'data descriptor'],
  [
    'a descriptor with another compressed size',
    descriptor(0x08074b50, helloChecksum, 6, 5),
    'data descriptor',
  ],
  [
    'a descriptor with another size',
    descriptor(0x08074b50, helloChecksum, 5, 6),
    'data descriptor',
  ],
  [
    'an entry listed twice',
    buildZip({
      entries: [{ name: 'a' }, { name: 'a', centralOnly: true, central: { localHeaderAt: 0 } }],
    }),
    'overlaps',
  ],
  [
    'data that runs into the directory',
    one({ local: { bytes: 9, compressedBytes: 9 }, central: { bytes: 9, compressedBytes: 9 } }),
    'overlaps',
  ],
];

const contents: Refusals = [
  ['a wrong checksum', one({ local: { crc32: 7 }, central: { crc32: 7 } }), 'checksum'],
  [
    'a wrong checksum of nothing',
    one({ content: '', local: { crc32: 7 }, central: { crc32: 7 } }),
    'checksum',
  ],
  ['a stored entry of two sizes', one({ local: { bytes: 4 }, central: { bytes: 4 } }), 'two sizes'],
  [
    'more than declared',
    one({ method: 8, local: { bytes: 4 }, central: { bytes: 4 } }),
    'another size',
  ],
  [
    'less than declared',
    one({ method: 8, local: { bytes: 6 }, central: { bytes: 6 } }),
    'another size',
  ],
  [
    'content where none is declared',
    one({ method: 8, data: deflateRawSync('hello'), content: '' }),
    'hidden behind',
  ],
  ['data that does not inflate', one({ method: 8, data: rand }), 'another size'],
  [
    'data that is cut',
    one({ method: 8, data: deflateRawSync('hello').slice(0, -2) }),
    'another size',
  ],
  ['no data', one({ method: 8, data: new Uint8Array() }), 'another size'],
  [
    'bytes hidden behind the compressed data',
    one({ method: 8, data: concat([deflateRawSync('hello'), rand]) }),
    'hidden behind',
  ],
  [
    'a wrong checksum in a file that is dropped',
    withDropped({ local: { crc32: 7 }, central: { crc32: 7 } }),
    '"__MACOSX/._a" does not match its checksum',
  ],
  [
    'hidden bytes in a file that is dropped',
    withDropped({ method: 8, data: concat([deflateRawSync('hello'), rand]) }),
    '"__MACOSX/._a" has other bytes hidden',
  ],
  [
    'a folder of two bytes that deflate to no nothing',
    buildZip({ entries: [{ name: 'a/', method: 8, data: rand.slice(1, 3) }, { name: 'b' }] }),
    '"a/" has other bytes hidden',
  ],
  ['a stored ZIP inside with its directory shared', sharedDirectory(), 'directory'],
];

/** A good file before a dropped one that says `hello`, but for what is given. */
function withDropped(entry: Partial<EntrySpec>): Uint8Array {
  const dropped = { name: '__MACOSX/._a', content: 'hello', ...entry };
  return buildZip({ entries: [{ name: 'a', content: 'good' }, dropped] });
}

/** An archive whose end record is that of the archive stored inside of it. */
function sharedDirectory(): Uint8Array {
  const outer = one({ name: 'inner.zip', content: nestedZip });
  const innerEnd = 30 + 'inner.zip'.length + nestedZip.length;
  return outer.slice(0, innerEnd);
}

const amounts: Refusals = [
  ['too many files', named('a', 'b', 'c', 'd', 'e', 'f'), '6 files; at most 5', 'TOO_MANY_FILES'],
  [
    'too many folders',
    named(...Array.from({ length: 111 }, (_, index) => `${index}/`)),
    '111 entries',
    'TOO_MANY_FILES',
  ],
  [
    'a ZIP64 count in the billions',
    one({}, { zip64: { count: 4e9, countHere: 4e9 } }),
    'entries',
    'TOO_MANY_FILES',
  ],
  ['a directory far larger than its entries need', wordyFolders(9), 'directory of 1175283 bytes'],
  ['a directory just small enough', wordyFolders(8), 'holds no file'],
  ['one byte too much', one({ method: 8, content: new Uint8Array(10_000_001) }), '10000001 bytes'],
  [
    'one byte too much among dropped files',
    buildZip({
      entries: [
        { name: 'a', content: 'x' },
        { name: '__MACOSX/a', method: 8, content: new Uint8Array(10_000_000) },
      ],
    }),
    '10000001 bytes',
  ],
];

/** Folders with extra fields and comments as long as they can be. */
function wordyFolders(count: number): Uint8Array {
  const comment = new Uint8Array(0xffff);
  const extra = extraField(9, new Uint8Array(65_000));
  return buildZip({
    entries: Array.from({ length: count }, (_, index) => ({ name: `${index}/`, extra, comment })),
  });
}

describe('a hostile archive is refused completely', () => {
  describe.each([
    ['end records', endRecords],
    ['ZIP64', zip64],
    ['entries', entries],
    ['paths', paths],
    ['local headers', headers],
    ['contents', contents],
    ['amounts', amounts],
  ])('%s', (_, table) => {
    test.each(table)('refuses %s', async (_, zip, message, code = 'ARCHIVE_INVALID') => {
      const refusal = await refusalOf(zip);
      expect(refusal.message).toContain(message);
      expect(refusal.code).toBe(code);
    });
  });

  test.each(hostileArchives())('refuses %s the same way by every reader', async (_, zip) => {
    expect((await refusalOf(zip)).message).toMatch(/^The ZIP /);
  });

  test('names the entry in the message, short and without control characters', async () => {
    const { message } = await refusalOf(named(`\u001b[31m\u202e\n${'é'.repeat(700)}`));
    expect(message).toMatch(/^The ZIP entry "\[31mé+…" has a path of more than 1024 bytes\.$/);
    expect(message.match(/"(.*)"/)?.[1]).toHaveLength(120);
  });

  test('does not cut a character of the name in half', async () => {
    const { message } = await refusalOf(named('😀'.repeat(300)));
    expect(message.match(/"(.*)"/)?.[1]).toBe(`${'😀'.repeat(59)}…`);
  });

  test('refuses the whole archive for its last entry', async () => {
    const zip = buildZip({
      entries: [
        { name: 'good.txt', content: 'good' },
        { name: 'bad.txt', content: 'bad', local: { crc32: 1 }, central: { crc32: 1 } },
      ],
    });
    expect((await refusalOf(zip)).message).toBe(
      'The ZIP entry "bad.txt" does not match its checksum.',
    );
  });
});
