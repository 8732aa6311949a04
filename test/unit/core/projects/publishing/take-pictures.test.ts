import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { remotePictures } from '../../../../../adapters/outgoing-http/picture-client.ts';
import { secretFinder } from '../../../../../core/content/secrets/find-secrets.ts';
import type { PlanLimits } from '../../../../../contract/plans.ts';
import { prepareUpload } from '../../../../../core/content/prepare-upload.ts';
import { collectPictures } from '../../../../../core/content/links/collect-pictures.ts';
import { takenStem } from '../../../../../core/content/taken-pictures.ts';
import { withPictures } from '../../../../../core/projects/publishing/take-pictures.ts';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { remotePicturesOf } from '../../../../../web/pages/viewers/text-markup.ts';
import { aCaller } from '../../../../fixtures/projects/a-project.ts';
import { aPng, PictureHost } from '../../../../fixtures/uploads/picture-host.ts';

let host: PictureHost;
beforeEach(async () => {
  host = await new PictureHost().start();
  counted = 0;
});
afterEach(() => host.close());

const uploadLimits = {
  maxParts: 50,
  maxBytes: 9_000_000,
  maxArchiveEntries: 50,
  maxArchiveBytes: 9_000_000,
};
let counted = 0;
const keys: string[] = [];
const key = ['ghp_zQWBuTSOoRi4A9spHcVY5n', 'cnsDkxkJ0mLq17'].join('');

function depsOf(plan: Partial<PlanLimits> = {}) {
  const pro = { ...defaultPlans.pro, ...plan };
  return {
    pictures: remotePictures({ allowsLoopback: true }),
    content: {
      findPictures: async (...input: Parameters<typeof remotePicturesOf>) =>
        remotePicturesOf(...input),
      findSecrets: secretFinder('sw'),
    },
    counters: {
      count: async (key: string, _: number, __: Date, events = 1) => {
        keys.push(key);
        counted += events;
        return counted;
      },
    },
    plans: { ...defaultPlans, free: pro, pro },
    now: () => new Date('2026-03-01T12:00:00Z'),
  };
}

async function taken(
  texts: Record<string, string>,
  { takePictures = true, plan = {} }: { takePictures?: boolean; plan?: Partial<PlanLimits> } = {},
) {
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    contentType: '',
    bytes: Buffer.from(text),
  }));
  const upload = await prepareUpload({ files }, uploadLimits);
  const choice = { takePictures, replacedBytes: 0, by: 'request' } as const;
  const whole = await withPictures(depsOf(plan), aCaller(), upload, choice);
  const paths: string[] = [];
  for await (const { path } of whole.files()) paths.push(path);
  const [warning] = whole.warnings ?? [];
  const reasons = Object.fromEntries(
    warning !== undefined && 'pictures' in warning
      ? warning.pictures.map(({ address, reason }) => [new URL(address).pathname, reason])
      : [],
  );
  return { ...whole, paths, warning, reasons };
}

const shown = (path: string) => `![A](${host.url(path)})\n`;
const pathOf = (path: string, type = 'png') => `${takenStem(host.url(path))}.${type}`;

test('the pictures of texts are files of the upload, each once', async () => {
  const { type, paths, fileCount, bytes, warnings } = await taken({
    'a.md': shown('/1') + shown('/1#x') + shown('/2'),
  });
  expect({ type, fileCount, warnings }).toEqual({
    type: 'markdown',
    fileCount: 3,
    warnings: undefined,
  });
  expect(paths.toSorted()).toEqual(['a.md', pathOf('/1'), pathOf('/2')].toSorted());
  expect(bytes).toBeGreaterThan(2 * aPng.length);
  expect(host.got.toSorted()).toEqual(['/1', '/2']);
  expect(keys.at(-1)).toMatch(/^taken-pictures#/);
});

test.each<[string, Record<string, string>, boolean]>([
  ['nobody wants them', { 'a.md': 'x' }, false],
  ['a site has them', { 'index.html': '<p>x', 'a.md': 'x' }, true],
  ['another file has them', { 'a.txt': 'x', 'b.ipynb': 'x' }, true],
])('nothing is fetched or counted where %s', async (_, files, takePictures) => {
  const texts = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text + shown('/1')]),
  );
  expect((await taken(texts, { takePictures })).paths).toHaveLength(Object.keys(files).length);
  expect([host.got, counted]).toEqual([[], 0]);
});

test('a picture that the publication brings itself is neither fetched nor told, and stays as it is', async () => {
  const own = pathOf('/1', 'gif');
  const texts = { 'a.md': shown('/1') + shown('/2'), [own]: 'GIF89a' };
  const { paths, fileCount, warnings } = await taken(texts);
  expect(paths.toSorted()).toEqual(['a.md', own, pathOf('/2')].toSorted());
  expect([fileCount, warnings, host.got]).toEqual([3, undefined, ['/2']]);
  const files = async function* () {
    for (const [path, text] of Object.entries(texts))
      yield { path, size: text.length, content: [Buffer.from(text)] };
  };
  const passed = collectPictures(depsOf().content.findPictures, files());
  for await (const _ of passed.files);
  expect(passed.found()).toEqual([{ path: 'a.md', address: host.url('/2') }]);
});

test('nothing is fetched beside a file that has the name of the folder', async () => {
  const { paths } = await taken({ 'a.md': shown('/1'), _pictures: 'x' });
  expect([paths.toSorted(), host.got]).toEqual([['_pictures', 'a.md'], []]);
});

test('what cannot be taken along is told, and publishes nothing', async () => {
  host.answers['/lies.png'] = (_, response) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>');
  host.answers['/large'] = (_, response) => void response.end(Buffer.alloc(4_000_001, aPng));
  host.answers['/gone'] = (_, response) => void response.writeHead(410).end();
  host.answers['/key.svg'] = (_, response) => void response.end(`<svg><!-- ${key} --></svg>`);
  const all = ['/fine', '/lies.png', '/large', '/gone', '/key.svg'];
  const { reasons, paths, warning } = await taken({
    'a.md': all.map(shown).join(''),
    'b.md': shown('/gone'),
  });
  expect(reasons).toEqual({
    '/lies.png': 'it is no PNG, JPEG, GIF, WebP, AVIF or SVG picture',
    '/large': 'the answer is larger than 4000000 bytes',
    '/gone': 'its site answered 410',
    '/key.svg': 'it seems to contain a key',
  });
  expect(paths).toEqual(['a.md', 'b.md', pathOf('/fine')]);
  expect(warning).toMatchObject({ kind: 'remote-pictures', count: 4 });
  expect(warning?.message).toMatch(
    /^4 of 5 pictures on other sites could not be taken along: "http/,
  );
  expect(warning).toHaveProperty('pictures.0.path', 'a.md');
});

test('of ten thousand pictures a hundred are fetched, a few at once, and twenty others are named', async () => {
  let [atOnce, mostAtOnce] = [0, 0];
  for (let at = 0; at < 100; at += 1) {
    host.answers[`/${at}`] = (_, response) => {
      mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
      setTimeout(() => {
        atOnce -= 1;
        response.end(aPng);
      }, 5);
    };
  }
  const rows = Array.from({ length: 10 }, (_, file) => [
    `${file}.md`,
    Array.from({ length: 1000 }, (__, at) => shown(`/${file * 1000 + at}`)).join(''),
  ]);
  const { warning, paths } = await taken(Object.fromEntries(rows));
  expect(host.got).toHaveLength(100);
  expect(mostAtOnce).toBeLessThanOrEqual(6);
  expect(paths).toHaveLength(110);
  // A slow machine finds fewer within two seconds.
  expect(warning).toHaveProperty('count', expect.any(Number));
  expect((warning as { pictures?: unknown[] } | undefined)?.pictures).toHaveLength(20);
});

test('an account fetches a thousand pictures a day, and a publication counts as ten at least', async () => {
  await taken({ 'a.md': shown('/1') });
  expect(counted).toBe(10);
  counted = 985;
  const some = Array.from({ length: 20 }, (_, at) => shown(`/more-${at}`)).join('');
  const { reasons, fileCount } = await taken({ 'a.md': some });
  expect(fileCount).toBe(16);
  expect(Object.values(reasons)).toEqual(
    Array.from({ length: 5 }, () => 'your account fetches at most 1000 pictures a day'),
  );
  counted = 5000;
  host.got.length = 0;
  expect((await taken({ 'a.md': shown('/1') })).fileCount).toBe(1);
  expect(host.got).toEqual([]);
});

test.each<[string, Partial<PlanLimits>]>([
  ['files', { maxFilesPerProject: 2 }],
  ['bytes', { maxStorageBytes: 1090 + aPng.length }],
])('a plan without room for more %s publishes the texts all the same', async (_, plan) => {
  const { fileCount, reasons } = await taken({ 'a.md': shown('/1') + shown('/2') }, { plan });
  expect(fileCount).toBe(2);
  expect(Object.values(reasons)).toEqual([expect.stringMatching(/no room|larger than/)]);
});

test('pictures of a publication have 16 MB together', async () => {
  const picture = Buffer.concat([aPng, Buffer.alloc(3_500_000)]);
  for (let at = 0; at < 8; at += 1)
    host.answers[`/${at}`] = (_, response) => void response.end(picture);
  const texts = Array.from({ length: 8 }, (_, at) => shown(`/${at}`)).join('');
  const { bytes, reasons } = await taken({ 'a.md': texts });
  expect(bytes).toBeLessThan(16_100_000);
  expect(Object.keys(reasons)).toHaveLength(4);
});
