import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { detectType } from '../../../core/content/detect-type.ts';
import { writtenFormat } from '../../../core/content/written-format.ts';
import { mediaType } from '../../../core/content/media-type.ts';
import { bundlePlace } from '../../../core/visit/bundle-file.ts';
import { aManifest } from '../../fixtures/visits/a-site.ts';
import { shownBytesOf } from '../../../core/content/text-file.ts';
import { answerAsset } from '../../../lambdas/viewer-assets/viewer-assets.ts';
import { assetFolder } from '../../../lambdas/viewer-assets/asset-folder.ts';
import { BuildCache } from '../../../scripts/build-cache.ts';
import { cachedViewers } from '../../../scripts/cached-bundles.ts';
import type { Assets } from '../../../web/pages/parts/page.ts';
import { offerPage } from '../../../web/pages/visitor/offer-page.ts';
import { textMarkup } from '../../../web/pages/viewers/text-markup.ts';
import { textPage } from '../../../web/pages/viewers/text-page.ts';
import type { ViewerInput } from '../../../web/pages/viewers/viewer-frame.ts';
import { viewerPage } from '../../../web/pages/viewers/viewer-pages.ts';

/** Pages of single files as the gate makes them, without a cloud around them. */
export interface ViewerStand {
  /** Makes a page for a file; returns its address. `beside` are the files of a bundle around it. */
  show(name: string, bytes: Uint8Array, beside?: Readonly<Record<string, Uint8Array>>): string;
  host: string;
  close(): void;
}

interface ShownFile {
  name: string;
  bytes: Uint8Array;
  beside: Readonly<Record<string, Uint8Array>> | undefined;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The cloud of the same run has built the viewers already. */
const builds = path.join(root, '.slipway', 'builds');

export async function startViewerStand(): Promise<ViewerStand> {
  const { dir, paths } = await cachedViewers(new BuildCache(root, builds));
  const assets = assetFolder(dir);
  const files = new Map<string, ShownFile>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname.startsWith('/_slipway/assets/')) {
      const answer = answerAsset(assets, {
        method: 'GET',
        path: url.pathname,
        acceptEncoding: request.headers['accept-encoding'] ?? '',
        ifNoneMatch: undefined,
      });
      response.writeHead(answer.statusCode ?? 200, answer.headers as Record<string, string>);
      response.end(Buffer.from(answer.body ?? '', 'base64'));
      return;
    }
    const { number, file, path } = shownAt(files, url.pathname);
    if (file === undefined) return void response.writeHead(404).end();
    if (path !== '') return sendFile(file, path, request.headers.range, response);
    const origin = `http://${request.headers.host}`;
    const { html, csp } = pageOf(file, number, origin, paths as Assets);
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': csp,
    });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    show(name, bytes, beside) {
      const number = String(files.size + 1);
      files.set(number, { name, bytes, beside });
      return `http://${host}/${number}/`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Which file an address is about, and which file of its bundle; the page itself has no path. */
function shownAt(files: ReadonlyMap<string, ShownFile>, pathname: string) {
  const [, number = '', path = ''] = /^\/(\d+)\/(.*)$/.exec(pathname) ?? [];
  return { number, file: files.get(number), path: decodeURIComponent(path) };
}

function pageOf(
  { name, bytes, beside }: ShownFile,
  number: string,
  origin: string,
  assets: Assets,
) {
  const format = writtenFormat(name, bytes);
  const type = detectType(format === undefined ? name : `.${format}`);
  const input: ViewerInput = {
    brand: 'Slipway',
    title: name,
    file: {
      name,
      readAs: format && `${name}.${format}`,
      href: `/${number}/${encodeURIComponent(name)}`,
      bytes: bytes.length,
      type,
      contentType: mediaType(name),
    },
    ...(beside !== undefined && { place: placeAmong(name, beside, number) }),
    isSavable: true,
    origin,
    assets,
  };
  const page = bytes.length === 0 ? offerPage(input) : viewerPage(input);
  if (page !== undefined) return page;
  if (type === 'files') return offerPage(input);
  const most = shownBytesOf(name);
  const isWhole = bytes.length <= most;
  return textPage(input, textMarkup({ path: name, type, bytes: bytes.subarray(0, most), isWhole }));
}

/** Its place in a bundle, whose top is the page of this number. */
function placeAmong(name: string, beside: Readonly<Record<string, Uint8Array>>, number: string) {
  const place = bundlePlace(
    { type: 'files', home: null },
    aManifest(name, ...Object.keys(beside)),
    name,
  );
  return {
    folderHref: `/${number}/`,
    find: () => undefined,
    subtitles: (place?.subtitles ?? []).map((one) => ({ ...one, href: `/${number}${one.href}` })),
  };
}

function sendFile(
  file: ShownFile,
  path: string,
  range: string | undefined,
  response: ServerResponse,
): void {
  const bytes = path === file.name ? file.bytes : file.beside?.[path];
  if (bytes === undefined) return void response.writeHead(404).end();
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const headers = { 'content-type': mediaType(path), 'accept-ranges': 'bytes' };
  if (first === undefined) return void response.writeHead(200, headers).end(bytes);
  const from = Number(first);
  const to = last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1;
  response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${to}/${bytes.length}` });
  response.end(bytes.subarray(from, to + 1));
}
