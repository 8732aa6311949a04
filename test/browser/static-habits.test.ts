import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import serveHandler from 'serve-handler';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';
import { zipOf } from './support/sample-files.ts';

type Files = Record<string, string | Buffer>;

let key: string;
beforeAll(async () => {
  key = await signIn();
});

/** The address of a new site, with analytics as every project has them. */
async function published(files: Files): Promise<string> {
  const parts = [
    file('site.zip', await zipOf(files)),
    { name: 'zipIndexHtmlPath', body: 'index.html' },
  ];
  return (await created(key, { files: parts })).url;
}

/** The same files from serve-handler, which `npx serve` uses. */
async function servedElsewhere(files: Files) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-served-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const server = createServer(
    (request, response) => void serveHandler(request, response, { public: folder }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const close = () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  };
  return { url: `http://localhost:${port}`, close };
}

async function onPage<Result>(url: string, read: (page: Page) => Promise<Result>) {
  const page = await openPage(browser);
  try {
    await page.goto(url);
    return await read(page);
  } finally {
    await page.context().close();
  }
}

const resultOf = (url: string) =>
  onPage(url, async (page) => {
    await page.waitForFunction('document.body.dataset.result !== undefined');
    return page.evaluate('document.body.dataset.result');
  });

describe('a service worker that checks the hash of each file, as Angular’s does', () => {
  const shell =
    '<!doctype html><html><head><title>App</title></head><body><script src="/main.js"></script></body></html>';
  const main = `
navigator.serviceWorker.register('/ngsw-worker.js');
navigator.serviceWorker.ready.then(({ active }) => active.postMessage('check'));
navigator.serviceWorker.onmessage = ({ data }) => { document.body.dataset.result = data; };`;
  // AppVersion fetches each file of the hash table past the caches, and compares the SHA-1 of its bytes.
  const worker = `
onactivate = (event) => event.waitUntil(clients.claim());
const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, '0')).join('');
const sha1 = async (url) => hex(await crypto.subtle.digest('SHA-1', await (await fetch(url)).arrayBuffer()));
onmessage = async ({ source }) => {
  const { hashTable } = await (await fetch('/ngsw.json?ngsw-cache-bust=0.1')).json();
  const wrong = [];
  for (const [url, hash] of Object.entries(hashTable))
    if (await sha1(url) !== hash || await sha1(url + '?ngsw-cache-bust=0.2') !== hash) wrong.push(url);
  const app = await caches.open('app');
  await app.addAll([...Object.keys(hashTable), '/']);
  source.postMessage(wrong.length === 0 ? 'all hashes match' : 'wrong: ' + wrong);
};
// Navigations get the index from the worker's own cache, without asking the server.
onfetch = (event) => {
  if (event.request.mode === 'navigate') event.respondWith(
    caches.match('/').then((index) => index ?? fetch(event.request)));
};`;
  const content: Files = {
    'index.html': shell,
    'parts/card.html': '<article>Card</article>',
    'main.js': main,
    'styles.css': 'body { color: #123 }'.repeat(100),
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  const hashTable = Object.fromEntries(
    Object.entries(content).map(([path, text]) => [
      `/${path}`,
      createHash('sha1').update(text).digest('hex'),
    ]),
  );
  const files = {
    ...content,
    'ngsw-worker.js': worker,
    'ngsw.json': JSON.stringify({ hashTable }),
  };

  /** What the worker finds, and what a deep address shows when the site is asked no more. */
  const behaviour = (url: string) =>
    onPage(url, async (page) => {
      await page.waitForFunction('document.body.dataset.result !== undefined');
      const found = await page.evaluate('document.body.dataset.result');
      await page.context().setOffline(true);
      await page.goto(`${url}/tides/today`);
      return { found, offline: await page.title() };
    });

  test('finds the bytes that were published, and opens offline, as with serve-handler', async () => {
    const elsewhere = await servedElsewhere(files);
    try {
      const here = await behaviour(await published(files));
      expect(here).toEqual({ found: 'all hashes match', offline: 'App' });
      expect(here).toEqual(await behaviour(elsewhere.url));
    } finally {
      elsewhere.close();
    }
  });
});

test('a fragment that a page fetches begins with its own element', async () => {
  const url = await published({
    'index.html': `<!doctype html><title>Cards</title><body><script>
fetch('/parts/card.html').then((answer) => answer.text()).then((html) => {
  const box = document.createElement('div');
  box.innerHTML = html;
  document.body.dataset.result = box.firstElementChild.outerHTML;
});</script>`,
    'parts/card.html': '<article>Tides</article>',
  });
  expect(await resultOf(url)).toBe('<article>Tides</article>');
  const opened = await onPage(`${url}/parts/card.html`, (page) =>
    page.evaluate('document.body.innerHTML'),
  );
  expect(opened).toBe('<article>Tides</article>');
});

/** `(func (export "answer") (result i32) i32.const 42)` */
const wasm = Buffer.from(
  '0061736d010000000105016000017f03020100070a0106616e7377657200000a06010400412a0b',
  'hex',
);

test('a loader such as Unity’s gets compressed builds by their names, and by the inner names', async () => {
  const framework = 'window.frameworkLoaded = true;'.repeat(50);
  const url = await published({
    'index.html': `<!doctype html><title>Game</title><body><script type="module">
const script = document.createElement('script');
script.src = 'Build/game.framework.js.gz';
const loaded = new Promise((resolve, reject) => { script.onload = resolve; script.onerror = reject; });
document.head.append(script);
const { instance } = await WebAssembly.instantiateStreaming(fetch('Build/game.wasm.br'));
const inner = await WebAssembly.instantiateStreaming(fetch('Build/game.wasm'));
const data = await (await fetch('Build/game.data.unityweb')).text();
await loaded;
document.body.dataset.result =
  [instance.exports.answer(), inner.instance.exports.answer(), data.length, window.frameworkLoaded].join();
</script>`,
    'Build/game.framework.js.gz': gzipSync(framework),
    'Build/game.wasm.br': brotliCompressSync(wasm),
    'Build/game.data.unityweb': gzipSync('d'.repeat(5000)),
  });
  expect(await resultOf(url)).toBe('42,42,5000,true');
});

describe('a file that declares another encoding', () => {
  const russian = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
  const around = (before: string, bytes: Buffer, after = '') =>
    Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
  let url: string;
  beforeAll(async () => {
    url = await published({
      'index.html':
        '<!doctype html><title>Home</title><link rel="stylesheet" href="/style.css"><p>é</p>',
      'cp1251.html': around(
        '<!doctype html><meta charset="windows-1251"><title>a</title><p>',
        russian,
      ),
      'sjis.html': around('<!doctype html><meta charset=Shift_JIS><title>a</title><p>', japanese),
      'picture.svg': around(
        '<?xml version="1.0" encoding="ISO-8859-1"?><svg xmlns="http://www.w3.org/2000/svg"><text>',
        Buffer.from([0xe9]),
        '</text></svg>',
      ),
      'euckr.html': around(
        "<META content='text/html;charset=euc-kr' HTTP-EQUIV='content-type'><p>",
        Buffer.from([0xbe, 0xc8, 0xb3, 0xe7]),
      ),
      'utf16.html': Buffer.from('\ufeff<!doctype html><title>a</title><p>é', 'utf16le'),
      'scripts.html': around(
        '<!doctype html><meta charset="windows-1251"><link rel="stylesheet" href="plain.css"><p>',
        russian,
        '<script src="plain.js"></script>',
      ),
      'plain.js': around('document.title = "', russian, '";'),
      'plain.css': around('p::after { content: "', russian, '" }'),
      'style.css': around('@charset "windows-1251"; p::after { content: "', russian, '" }'),
    });
  });

  test.each([
    ['/cp1251', 'document.querySelector("p").textContent', 'Привет'],
    ['/sjis.html', 'document.querySelector("p").textContent', '日本'],
    ['/euckr', 'document.querySelector("p").textContent', '안녕'],
    ['/utf16', 'document.querySelector("p").textContent', 'é'],
    ['/scripts', 'document.title', 'Привет'],
    ['/scripts', 'getComputedStyle(document.querySelector("p"), "::after").content', '"Привет"'],
    ['/picture.svg', 'document.documentElement.textContent', 'é'],
    ['/', 'getComputedStyle(document.querySelector("p"), "::after").content', '"Привет"'],
    ['/', 'document.querySelector("p").textContent', 'é'],
  ])('is read as it says: %s', async (path, read, expected) => {
    expect(await onPage(url + path, (page) => page.evaluate(read))).toBe(expected);
  });
});

test('a page of another origin reads what the site opens, with a header that asks before', async () => {
  const [url, other] = await Promise.all([
    published({
      'index.html': '<!doctype html><title>Data</title>',
      'data.json': '{"tide":4}',
      'closed.json': '{}',
      _headers: '/closed.json\n  ! Access-Control-Allow-Origin',
    }),
    published({ 'index.html': '<!doctype html><title>Reader</title>' }),
  ]);
  const read = (path: string) =>
    onPage(other, (page) =>
      page.evaluate(
        `fetch(${JSON.stringify(url + path)}, { headers: { 'X-Key': 'a' } }).then((answer) => answer.text(), () => 'refused')`,
      ),
    );
  expect(await read('/data.json')).toBe('{"tide":4}');
  expect(await read('/closed.json')).toBe('refused');
  expect(await read('/')).toBe('refused');
});
