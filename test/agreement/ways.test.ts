import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { accessToken } from '../../core/visit/access/access-token.ts';
import { fixedSecret } from '../fixtures/fixed-secret.ts';
import { contentMemory } from '../../core/visit/content-memory.ts';
import { encodeManifest } from '../../core/visit/manifest.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { answerVisit } from '../../lambdas/visits/gate.ts';
import { sendResponse, sentBodies } from '../../lambdas/visits/send-response.ts';
import { readEdgeRequest } from '../../lambdas/visits/edge-request.ts';
import {
  aManifest,
  aSite,
  noLinks,
  noVisitors,
  noRoots,
  now,
  someAddresses,
} from '../fixtures/visits/a-site.ts';
import { viewerDeps } from '../fixtures/visits/viewers.ts';
import { filesRunBy, wayOf } from '../fixtures/ways.ts';

const ways = {
  visit: wayOf("A visit's way through the code"),
  publish: wayOf("A publish's way through the code"),
  'temporary publish': wayOf("A temporary publish's way through the code"),
  request: wayOf("A request's way through the code"),
};

test.each([
  ['visit', 20],
  ['publish', 25],
  ['temporary publish', 25],
  ['request', 12],
] as const)('the way of a %s has at most %i files', (way, limit) => {
  const files = ways[way];
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(limit);
  expect(new Set(files).size).toBe(files.length);
});

/** What a file of ours imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, name = '']) =>
    join(dirname(file), name),
  );
}

test.each(['visit', 'publish', 'temporary publish', 'request'] as const)(
  'a reader of the way of a %s meets every file in an earlier one',
  (way) => {
    const files = ways[way];
    // Functions choose the adapters behind the ports of a use case.
    const known = ['lambdas/shared/project-stores.ts', 'lambdas/shared/version-content.ts'].flatMap(
      importsOf,
    );
    const unannounced = files
      .slice(1)
      .filter(
        (file, index) =>
          ![...known, ...files.slice(0, index + 1).flatMap(importsOf)].includes(file),
      );
    expect(unannounced).toEqual([]);
  },
);

const secret = fixedSecret('a secret of sixteen letters');
const manifest = encodeManifest(aManifest('index.html', 'style.css'));
const locked = { access: 'password', passwordStamp: 'a-stamp' } as const;

/** The files of ours that run for one page view, except adapters. */
async function filesOfVisit(settings: Partial<ServingRecord>, cookie?: string) {
  const site = aSite({ ...settings, manifest });
  const deps = {
    ...viewerDeps,
    brand: 'Slipway',
    build: 'build-1',
    heads: someAddresses,
    accessSecret: secret,
    roots: noRoots,
    shareLinks: noLinks,
    visitors: noVisitors,
    sites: { get: async () => site },
    namedPreview: async () => undefined,
    keptVersion: async () => undefined,
    contents: contentMemory(),
    bodies: sentBodies(),
    mediaLinks: { sign: async () => '/' },
    content: { get: async () => Buffer.from('<!doctype html><p>Without a title') },
  };
  const event = {
    headers: {
      'x-slipway-host': site.host,
      'x-slipway-path': '/',
      'x-slipway-query': '-',
      'x-slipway-fetch': 'navigate,document,none,',
      'accept-encoding': 'br',
      ...(cookie !== undefined && { 'x-slipway-access': cookie }),
    },
    rawPath: '/',
    requestContext: { requestId: 'a-request', http: { method: 'GET' } },
  };
  const { done, files } = await filesRunBy(async () => {
    const request = readEdgeRequest(event);
    const { response, hit } = await answerVisit(deps, request, now);
    return { hit, sent: await sendResponse(deps, request, response) };
  });
  const { sent, hit } = done;
  const own = files.filter((file) => !file.startsWith('adapters/'));
  return { status: sent.statusCode, kind: hit?.kind, files: own };
}

test('page views of a public site and of one with a password run the files of their way', async () => {
  const expires = Math.floor(now.getTime() / 1000) + 60;
  const { projectId } = aSite();
  const stamp = locked.passwordStamp;
  const cookie = accessToken(secret, { projectId, role: 'guest', stamp, expires });
  const open = await filesOfVisit({});
  const known = await filesOfVisit(locked, cookie);
  for (const { status, kind } of [open, known]) {
    expect({ status, kind }).toEqual({ status: 200, kind: 'visit' });
  }
  const run = new Set([...open.files, ...known.files]);
  const idle = ways.visit.filter((file) => !file.startsWith('adapters/') && !run.has(file));
  expect(idle).toEqual([]);
});
