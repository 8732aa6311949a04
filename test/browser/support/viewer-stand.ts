import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { detectType } from '../../../core/content/detect-type.ts';
import { mediaType } from '../../../core/content/media-type.ts';
import { shownBytesOf } from '../../../core/content/text-file.ts';
import { answerAsset } from '../../../lambdas/viewer-assets/answer-asset.ts';
import { assetFolder } from '../../../lambdas/viewer-assets/asset-folder.ts';
import { bundleViewers, quickEffort } from '../../../scripts/bundle-viewers.ts';
import type { Assets } from '../../../web/pages/parts/page.ts';
import { offerPage } from '../../../web/pages/visitor/offer-page.ts';
import { textMarkup } from '../../../web/pages/viewers/text-markup.ts';
import { textPage } from '../../../web/pages/viewers/text-page.ts';
import type { ViewerInput } from '../../../web/pages/viewers/viewer-frame.ts';
import { viewerPage } from '../../../web/pages/viewers/viewer-pages.ts';

/** Pages of single files as the gate makes them, without a cloud around them. */
export interface ViewerStand {
  /** Makes a page for a file; returns its address. */
  show(name: string, bytes: Uint8Array): string;
  host: string;
  close(): void;
}

export async function startViewerStand(): Promise<ViewerStand> {
  const dir = mkdtempSync(path.join(tmpdir(), 'slipway-viewers-'));
  const { paths, compressed } = await bundleViewers(dir, quickEffort);
  await compressed;
  const assets = assetFolder(dir);
  const files = new Map<string, { name: string; bytes: Uint8Array }>();
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
    const [, number = '', raw] = url.pathname.split('/', 3);
    const file = files.get(number);
    if (file === undefined) return void response.writeHead(404).end();
    if (raw !== '') return sendFile(file, request.headers.range, response);
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
    show(name, bytes) {
      const number = String(files.size + 1);
      files.set(number, { name, bytes });
      return `http://${host}/${number}/`;
    },
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(dir, { recursive: true });
    },
  };
}

function pageOf(
  { name, bytes }: { name: string; bytes: Uint8Array },
  number: string,
  origin: string,
  assets: Assets,
) {
  const type = detectType(name);
  const input: ViewerInput = {
    brand: 'Slipway',
    title: name,
    file: {
      name,
      href: `/${number}/${encodeURIComponent(name)}`,
      bytes: bytes.length,
      type,
      contentType: mediaType(name),
    },
    isSavable: true,
    origin,
    assets,
  };
  const page = viewerPage(input);
  if (page !== undefined) return page;
  if (type === 'files') return offerPage(input);
  const most = shownBytesOf(name);
  const isWhole = bytes.length <= most;
  return textPage(input, textMarkup({ path: name, type, bytes: bytes.subarray(0, most), isWhole }));
}

function sendFile(
  { name, bytes }: { name: string; bytes: Uint8Array },
  range: string | undefined,
  response: import('node:http').ServerResponse,
): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const headers = { 'content-type': mediaType(name), 'accept-ranges': 'bytes' };
  if (first === undefined) return void response.writeHead(200, headers).end(bytes);
  const from = Number(first);
  const to = last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1;
  response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${to}/${bytes.length}` });
  response.end(bytes.subarray(from, to + 1));
}
