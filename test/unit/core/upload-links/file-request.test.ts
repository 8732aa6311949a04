import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createUploadLink } from '../../../../contract/operations/upload-links.ts';
import { publishByLink } from '../../../../contract/operations/link-uploads.ts';
import { plusSeconds } from '../../../../core/instants.ts';
import {
  arrivalOf,
  checkRequestedFiles,
  checkSender,
  closingTime,
  folderOf,
  type FileRequest,
  newFileRequest,
} from '../../../../core/upload-links/file-request.ts';
import { giveBackPlace, takeShare } from '../../../../core/upload-links/request-share.ts';
import { isFull } from '../../../../core/upload-links/upload-link.ts';
import { memoryCounters } from '../../../fixtures/memory-counters.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { UploadId } from '../../../../core/uploads/upload.ts';

const aRequest = (changes: Partial<FileRequest> = {}): FileRequest => ({
  maxUploads: 1,
  private: true,
  ...changes,
});
const days = (count: number, seconds = 0) =>
  plusSeconds(now, count * 86_400 + seconds).toISOString();

describe('what an owner may ask for', () => {
  const isValid = (fields: object) => createUploadLink.input.safeParse(fields).success;

  test.each([
    [{ message: 'Two\nlines' }, true],
    [{ message: 'Windows\r\nlines' }, true],
    [{ message: 'a\u202Eb' }, false],
    [{ message: 'a\0b' }, false],
    [{ message: ' ' }, false],
    [{ message: 'a'.repeat(2001) }, false],
    [{ maxUploads: 500 }, true],
    [{ maxUploads: 501 }, false],
    [{ maxUploads: 0 }, false],
    [{ maxBytes: 0 }, false],
    [{ accept: ['.pdf', '.tar'] }, true],
    [{ accept: ['pdf'] }, false],
    [{ accept: ['.pdf"><b>'] }, false],
    [{ accept: [] }, false],
  ])('%j: %s', (fields, expected) => {
    expect(isValid(fields)).toBe(expected);
  });

  test('by default one upload, which stays private', () => {
    expect(newFileRequest({ message: 'Please' })).toEqual({
      message: 'Please',
      maxUploads: 1,
      private: true,
    });
    expect(newFileRequest({ maxUploads: 9, private: false })).toEqual({
      maxUploads: 9,
      private: false,
    });
  });

  test('is open for at most 90 days', () => {
    expect(closingTime(days(90), now)).toBe(days(90));
    for (const end of [days(90, 1), days(0), days(-1), 'soon']) {
      expect(() => closingTime(end, now)).toThrow('closesAt: must be in the future');
    }
  });
});

describe('senders', () => {
  test.each([
    [{ askName: true }, {}, 'your name'],
    [{ askEmail: true }, { senderName: 'Anna' }, 'your e-mail address'],
  ])('%j of %j', (asked, sender, missing) => {
    expect(() => checkSender(aRequest(asked), sender)).toThrow(missing);
    expect(() =>
      checkSender(aRequest(asked), { senderName: 'Anna', senderEmail: 'anna@example.org' }),
    ).not.toThrow();
  });

  test.each([
    ['senderName', 'Anna\r\nBcc: all@example.org'],
    ['senderName', 'gpj\u202E'],
    ['senderName', 'a'.repeat(101)],
    ['senderEmail', 'anna@example.org\r\nBcc: all@example.org'],
    ['senderEmail', 'no address'],
  ])('%s cannot be %j', (field, value) => {
    const file = { name: 'a.txt', contentType: '', bytes: new Uint8Array([1]) };
    const input = { link: 'token', files: [file], [field]: value };
    expect(publishByLink.input.safeParse(input).success).toBe(false);
    expect(publishByLink.input.safeParse({ link: 'token', files: [file] }).success).toBe(true);
  });
});

test.each([
  ['Anna', '2026-03-01 Anna'],
  [undefined, '2026-03-01'],
  ['../../etc', '2026-03-01 etc'],
  ['a/b\\c:d', '2026-03-01 a b c d'],
  ['...', '2026-03-01'],
  ['_slipway', '2026-03-01 _slipway'],
])('the folder of %j is %j', (senderName, folder) => {
  expect(folderOf({ senderName }, new Date('2026-03-01T23:59:00Z'))).toBe(folder);
});

describe('files', () => {
  const size = 10;

  test.each([
    [{ accept: ['.pdf'] }, ['a.pdf', 'B.PDF', 'folder/c.pdf'], undefined],
    [{ accept: ['.pdf'] }, ['a.pdf', 'b.exe'], 'FILE_TYPE_REFUSED'],
    [{ accept: ['.pdf'] }, ['a.pdf.exe'], 'FILE_TYPE_REFUSED'],
    [{ accept: ['.pdf'] }, ['archive.zip'], 'FILE_TYPE_REFUSED'],
    [{ accept: ['.pdf'] }, ['pdf'], 'FILE_TYPE_REFUSED'],
    [{ maxBytes: 20 }, ['a', 'b'], undefined],
    [{ maxBytes: 19 }, ['a', 'b'], 'PAYLOAD_TOO_LARGE'],
    [{}, ['a.exe'], undefined],
  ])('%j, sent %j: %s', (asked, paths, code) => {
    const check = () =>
      checkRequestedFiles(
        aRequest(asked),
        paths.map((path) => ({ path, size })),
      );
    if (code === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code }));
  });

  test('a refused name is quoted without what turns text around', () => {
    const check = () =>
      checkRequestedFiles(aRequest({ accept: ['.jpg'] }), [{ path: 'a\u202Egpj.exe', size }]);
    expect(check).toThrow('a\uFFFDgpj.exe');
  });

  test('a receipt names what arrived, at most a hundred files, and counts all', () => {
    const files = Array.from({ length: 101 }, (_, at) => ({ path: `${at}.txt`, size }));
    const arrival = arrivalOf([...files, { path: '.env', size: 7 }, { path: '.git/a', size: 7 }]);
    expect(arrival).toMatchObject({ fileCount: 101, bytes: 1010 });
    expect(arrival.files).toEqual(files.slice(0, 100));
  });

  test.each([
    ['c'.repeat(399), 10],
    ['c'.repeat(400), 9],
    ['日'.repeat(133), 10],
    ['c'.repeat(4000), 0],
  ])('a receipt has 4,000 bytes for names: %#', (name, count) => {
    const files = Array.from({ length: 20 }, (_, at) => ({ path: `${at % 10}${name}`, size }));
    expect(arrivalOf(files).files).toHaveLength(count);
    expect(arrivalOf(files)).toMatchObject({ fileCount: 20, bytes: 200 });
  });
});

test.each([
  [1, false],
  [2, true],
  [3, true],
])('of two uploads, %i received are all: %s', (received, isAll) => {
  const request = aRequest({ maxUploads: 2 });
  expect(isFull({ request, received })).toBe(isAll);
});

test('an upload that could not be published gives back once what it took of its network', async () => {
  const counters = memoryCounters();
  const guest = { address: '192.0.2.1' };
  const sent = { guest, tokenHash: 'hash' } as never;
  const share = await takeShare({ counters, now: () => now }, sent, { maxUploads: 60 });
  await takeShare({ counters, now: () => now }, sent, { maxUploads: 60 });
  let isListed = true;
  const deps = {
    counters,
    uploads: { get: async () => ({ linkHash: 'hash' }) as never },
    links: {
      async giveBack() {
        const wasListed = isListed;
        isListed = false;
        return wasListed;
      },
    },
  };
  const job = {
    uploadId: UploadId.parse(randomUUID()),
    received: { number: 1, address: '203.0.113.9', share },
  };
  await giveBackPlace(deps, job);
  await giveBackPlace(deps, job);
  const left = share?.keys.map((key) => counters.count(key, 86_400, now, 0)) ?? [];
  expect(await Promise.all(left)).toEqual([1, 1]);
});
