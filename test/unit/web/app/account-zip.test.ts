import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { ExportPage } from '../../../../contract/account-export.ts';
import { exportAccount } from '../../../../contract/operations/own-account.ts';
import { ApiError } from '../../../../web/app/api/api-error.ts';
import {
  accountFiles,
  ChangedMeanwhileError,
  EnoughForTodayError,
} from '../../../../web/app/views/account/account-files.ts';
import { zipStream, type ZippedFile } from '../../../../web/app/views/account/zip-stream.ts';

async function* zipped(files: Record<string, string[]>): AsyncGenerator<ZippedFile> {
  for (const [path, chunks] of Object.entries(files)) {
    const parts = chunks.map((one) => Buffer.from(one));
    async function* bytes() {
      yield* parts;
    }
    yield { path, size: Buffer.concat(parts).length, bytes: bytes() };
  }
}
const at = new Date(2026, 2, 1, 10, 30);

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a ZIP that a browser writes', () => {
  const plain = { 'a/a.txt': ['one ', 'two'], 'a/empty.txt': [] };
  const files = { 'Été/a.txt': ['one ', 'two'], 'Été/empty.txt': [], 'b/c.txt': ['three'] };
  test('has the files with their checksums', async () => {
    const archive = await JSZip.loadAsync(await bytesOf(zipStream(zipped(files), at)), {
      checkCRC32: true,
    });
    expect(Object.keys(archive.files)).toEqual(Object.keys(files));
    expect(await archive.file('Été/a.txt')?.async('text')).toBe('one two');
  });

  test.each<[string, (file: string) => string[]]>([
    ['/usr/bin/unzip', (file) => ['-tq', file]],
    ['/usr/bin/python3', (file) => ['-m', 'zipfile', '-t', file]],
  ])('is read by %s where it is larger than 4 GiB', async (tool, args) => {
    if (!existsSync(tool)) return;
    const folder = mkdtempSync(join(tmpdir(), 'slipway-zip-'));
    try {
      // A sparse file: as many bytes before the first entry as an archive of 4 GiB has.
      const start = 2 ** 32 + 5;
      const archive = join(folder, 'large.zip');
      writeFileSync(archive, '');
      truncateSync(archive, start);
      writeFileSync(archive, await bytesOf(zipStream(zipped(plain), at, start)), { flag: 'a' });
      expect(execFileSync(tool, args(archive), { encoding: 'utf8' })).toMatch(
        /No errors detected|Done testing/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the files of an account', () => {
  const [example] = exportAccount.example.output.projects;
  const [version] = example?.versions ?? [];
  const projectOf = (number: number, files: Record<string, string | null>) => ({
    ...example,
    id: `0b7e4c1a-5f60-4c39-9d0e-${String(number).padStart(12, '0')}`,
    title: 'Spring/fair',
    liveVersion: 2,
    versions: [1, 2].map((one) => ({
      ...version,
      version: one,
      files: Object.entries(files).map(([path, url]) => ({
        path: one === 1 ? `old-${path}` : path,
        size: url === null ? 0 : 9,
        hash: 'MgokAE9kmpi2VTXn',
        ...(url !== null && { url }),
      })),
    })),
  });
  const pageOf = (projects: object[], next: string | null) =>
    ExportPage.parse({ ...exportAccount.example.output, projects, next });
  const url = (name: string) => `https://download.example/${name}`;
  const waits: number[] = [];
  const read = async (
    pages: Record<string, ExportPage[]>,
    answers: Record<string, (() => Response)[]>,
  ) => {
    const requests: string[] = [];
    const load = async (address: string, headers: Headers) => {
      const name = address.slice(url('').length);
      requests.push(`${name} ${headers.get('range') ?? ''}`.trim());
      const answer = answers[name]?.shift();
      if (answer === undefined) throw new TypeError('no network');
      return answer();
    };
    const files = accountFiles({
      signal: new AbortController().signal,
      onProgress: () => undefined,
      load,
      page: async (cursor = 'first') => {
        const page = pages[cursor]?.shift();
        if (page === undefined) throw new Error(`no page ${cursor}`);
        return page;
      },
      wait: async (ms) => void waits.push(ms),
    });
    const found: Record<string, string> = {};
    for await (const { path, bytes } of files) found[path] = (await bytesOf(bytes)).toString();
    return { found, requests };
  };
  const whole = () => new Response('nine byte');
  afterEach(() => void waits.splice(0));

  test('are those of the live versions, in a folder for each project, page after page', async () => {
    const pages = {
      first: [pageOf([projectOf(1, { 'a.txt': url('a'), 'none.txt': null })], 'next')],
      next: [
        pageOf([projectOf(1, { 'b/c.txt': url('b') }), projectOf(2, { 'a.txt': url('c') })], null),
      ],
    };
    const { found } = await read(pages, { a: [whole], b: [whole], c: [whole] });
    expect(found).toEqual({
      'Spring fair/a.txt': 'nine byte',
      'Spring fair/none.txt': '',
      'Spring fair/b/c.txt': 'nine byte',
      'Spring fair (2)/a.txt': 'nine byte',
    });
  });

  test('go on where a connection broke, after a limit, and with a new link where one has ended', async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(Buffer.from('nine'));
          },
          pull: (stream) => stream.error(new TypeError('broken')),
        }),
      );
    const limited = () => new Response('', { status: 429, headers: { 'retry-after': '5' } });
    const ended = () => new Response('', { status: 404 });
    const rest = () => new Response(' byte', { status: 206 });
    const pages = {
      first: [
        pageOf([projectOf(1, { 'a.txt': url('a') })], null),
        pageOf([projectOf(1, { 'a.txt': url('again') })], null),
      ],
    };
    const { found, requests } = await read(pages, { a: [broken, limited, ended], again: [rest] });
    expect(found).toEqual({ 'Spring fair/a.txt': 'nine byte' });
    expect(requests).toEqual(['a', 'a bytes=4-', 'a bytes=4-', 'again bytes=4-']);
    expect(waits).toEqual([2000, 5000]);
  });

  const refusals: [string, new (...args: never[]) => Error, (() => Response)[], string][] = [
    [
      'the day is over',
      EnoughForTodayError,
      [() => new Response('', { status: 429, headers: { 'retry-after': '9000' } })],
      url('b'),
    ],
    [
      'a link that ended has no other',
      ChangedMeanwhileError,
      [() => new Response('', { status: 404 })],
      url('a'),
    ],
    ['the network does not come back', TypeError, [], url('b')],
    ['the service refuses', ApiError, [() => new Response('', { status: 403 })], url('b')],
  ];
  test.each(refusals)('end where %s', async (_, type, answers, later) => {
    const pages = {
      first: [url('a'), later].map((one) => pageOf([projectOf(1, { 'a.txt': one })], null)),
    };
    await expect(read(pages, { a: answers })).rejects.toBeInstanceOf(type);
  });
});
