import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentHash } from '../../../core/content/content-keys.ts';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch, pushed, rollBack } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud();
let service = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());

const { rounds, readerCount, fewestHits } = proofSize({
  short: { rounds: 4, readerCount: 4, fewestHits: 10 },
  whole: { rounds: 6, readerCount: 8, fewestHits: 25 },
});
/**
 * Pages are revalidated at every view; the edge serves the others from its cache, except the last.
 */
const paths = ['/page.html', '/style.css', '/app.js', '/data/big.bin'];
const names = ['page.html', 'style.css', 'app.js', 'data/big.bin'];
const bodyOf = once((path: string, marker: string) =>
  // Not the home page, whose ETag also depends on the project's title; and a page with a title of its
  // own is served byte for byte.
  Buffer.from(
    `<title>T</title>${`${path} is ${marker};`.repeat(path.includes('big') ? 20_000 : 500)}`,
  ),
);
const etags = new WeakMap<Buffer, string>();
function etagOf(body: Buffer): string {
  const known = etags.get(body) ?? `"${contentHash(body)}"`;
  etags.set(body, known);
  return known;
}

/** Thousands of reads are compared with the same few bodies, so each is made once. */
function once(make: (path: string, marker: string) => Buffer): typeof make {
  const made = new Map<string, Buffer>();
  return (path, marker) => {
    const body = made.get(`${path} ${marker}`) ?? make(path, marker);
    made.set(`${path} ${marker}`, body);
    return body;
  };
}

/** An asset with a hash in its name, which only this version has. */
const lazyPath = (marker: string) =>
  `/lazy-${createHash('sha256').update(marker).digest('hex').slice(0, 8)}a1.js`;
const filesOf = (marker: string) => [
  file('index.html', 'home'),
  ...names.map((name, at) => file(name, bodyOf(paths[at] ?? '', marker))),
  file(lazyPath(marker).slice(1), marker),
];
const range = { first: 101, last: 1300 };

/**
 * The log of the writer. Visitors may see the last completed write and every write started since.
 */
class Log {
  readonly markers: string[] = [];
  answered = -1;

  async write(marker: string, send: () => Promise<unknown>): Promise<void> {
    this.markers.push(marker);
    await send();
    this.answered = this.markers.length - 1;
  }

  /** Markers that a read may show that began when `answeredBefore` was the last answer. */
  allowed(answeredBefore: number): Set<string> {
    return new Set(this.markers.slice(Math.max(0, answeredBefore)));
  }
}

/** One way to read a path, and the version that its answer shows; `undefined` where it is none at all. */
interface Way {
  name: string;
  ways(path: string, known: string): Parameters<typeof ask>[1];
  shows(answer: Answer, body: Buffer, known: Buffer): boolean;
}

const whole = ({ status, body, headers }: Answer, wanted: Buffer) =>
  status === 200 && headers.etag === etagOf(wanted) && body.equals(wanted);
const part = ({ status, body, headers }: Answer, wanted: Buffer) =>
  status === 206 &&
  headers.etag === etagOf(wanted) &&
  headers['content-range'] === `bytes ${range.first}-${range.last}/${wanted.length}` &&
  body.equals(wanted.subarray(range.first, range.last + 1));
const bytes = `bytes=${range.first}-${range.last}`;

const manners: readonly Way[] = [
  { name: 'GET', ways: () => ({}), shows: whole },
  {
    name: 'HEAD',
    ways: () => ({ method: 'HEAD' }),
    shows: ({ status, headers }, wanted) =>
      status === 200 &&
      headers.etag === etagOf(wanted) &&
      // The gate's own answer to HEAD names no length.
      [undefined, String(wanted.length)].includes(headers['content-length']),
  },
  { name: 'Range', ways: () => ({ headers: { range: bytes } }), shows: part },
  {
    name: 'If-None-Match',
    ways: (path, known) => ({ headers: { 'if-none-match': etagOf(bodyOf(path, known)) } }),
    shows: (answer, wanted, known) =>
      wanted.equals(known)
        ? answer.status === 304 && answer.headers.etag === etagOf(wanted)
        : whole(answer, wanted),
  },
  {
    name: 'If-Range',
    ways: (path, known) => ({
      headers: { range: bytes, 'if-range': etagOf(bodyOf(path, known)) },
    }),
    shows: (answer, wanted, known) =>
      wanted.equals(known) ? part(answer, wanted) : whole(answer, wanted),
  },
];

/** A read that no version explains that was live while it was under way. */
interface Fault {
  what: 'error' | 'missing' | 'torn' | 'stale';
  way: string;
  path: string;
  status: number;
  seen: string | undefined;
  allowed: string[];
  cache: unknown;
}

class Reader {
  readonly faults: Fault[] = [];
  readonly seen = new Map<string, number>();
  hits = 0;
  readonly url: string;
  readonly log: Log;
  #known = 'first';

  constructor(url: string, log: Log) {
    this.url = url;
    this.log = log;
  }

  /** Reads everything in every way, again and again, until `isOver`; then once more. */
  async run(offset: number, isOver: () => boolean): Promise<void> {
    for (let last = false; !last; ) {
      last = isOver();
      for (let at = 0; at < paths.length * manners.length; at += 1) {
        const turn = at + offset;
        const path = paths[turn % paths.length] ?? '/';
        const way = manners[Math.floor(turn / paths.length) % manners.length] as Way;
        await this.#read(path, way);
      }
    }
  }

  async #read(path: string, way: Way): Promise<void> {
    const { log } = this;
    const before = log.answered;
    const known = this.#known;
    const answer = await ask(this.url + path, way.ways(path, known));
    const allowed = log.allowed(before);
    const shown = (markers: Iterable<string>) =>
      [...markers].find((marker) => way.shows(answer, bodyOf(path, marker), bodyOf(path, known)));
    const seen = shown(allowed) ?? shown(log.markers);
    const cache = answer.headers['x-cache'];
    if (String(cache).startsWith('Hit')) this.hits += 1;
    if (seen !== undefined) {
      this.seen.set(`${way.name} ${path}`, (this.seen.get(`${way.name} ${path}`) ?? 0) + 1);
      this.#known = seen;
    }
    if (seen !== undefined && allowed.has(seen)) return;
    const { status } = answer;
    const what =
      seen !== undefined ? 'stale' : status === 404 ? 'missing' : status < 400 ? 'torn' : 'error';
    const one = { what, way: way.name, path, status, seen, cache } as const;
    this.faults.push({ ...one, allowed: [...allowed] });
  }
}

/** Reads the hashed assets of all versions that were ever live, until `isOver`; returns what was not there. */
async function readLazyParts(url: string, log: Log, isOver: () => boolean): Promise<string[]> {
  const missing: string[] = [];
  while (!isOver()) {
    for (const marker of new Set(log.markers.slice(0, log.answered + 1))) {
      const { status, text } = await ask(url + lazyPath(marker));
      if (status !== 200 || text !== marker) missing.push(`${marker}: ${status}`);
    }
  }
  return missing;
}

test('while a version is pushed and rolled back again and again, no read is torn, missing, stale or an error', async () => {
  const key = await signIn(anEmail(), service);
  const log = new Log();
  const { projectId, url } = await created(key, { files: filesOf('first'), service });
  // Pages as they were pushed, so that every byte tells its version.
  await patch(key, projectId, { analyticsEnabled: false }, service);
  await log.write('first', async () => undefined);
  let isOver = false;
  const readers = Array.from({ length: readerCount }, () => new Reader(url, log));
  const reading = Promise.all(readers.map((reader, at) => reader.run(at * 3, () => isOver)));
  const lazyParts = readLazyParts(url, log, () => isOver);
  const pause = async () => {
    // The edge keeps files again a minute after a change.
    await cloud.advance(61);
    await new Promise((resolve) => setTimeout(resolve, 150));
  };
  for (let round = 1; round <= rounds; round += 1) {
    const marker = `push ${round}`;
    await log.write(marker, () => pushed(key, projectId, filesOf(marker), { service }));
    await pause();
    const target = Math.max(1, round - 1);
    const earlier = target === 1 ? 'first' : `push ${target - 1}`;
    await log.write(earlier, async () => {
      const { status, text } = await rollBack(key, projectId, target, service);
      if (status !== 200) throw new Error(text);
    });
    await pause();
  }
  isOver = true;
  await reading;
  expect((await lazyParts).slice(0, 20)).toEqual([]);
  const faults = readers.flatMap((reader) => reader.faults);
  expect(faults.slice(0, 20)).toEqual([]);
  const seen = readers.flatMap((reader) => [...reader.seen.keys()]);
  expect(new Set(seen).size).toBe(paths.length * manners.length);
  // Without answers of the edge's own, nothing could have been stale.
  expect(readers.reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(fewestHits);
}, 600_000);
