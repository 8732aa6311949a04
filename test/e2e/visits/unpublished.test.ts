import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import {
  type Answer,
  type Ask,
  ask,
  baseUrl,
  isLocal,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

interface Subject {
  id: string;
  /** Scheme, host and port of the site. */
  origin: string;
}

const plainForm = (fields: Record<string, string>): Ask => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const json = (fields: object): Ask => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(fields),
});

/** Everything that answers a stranger about a project, by its id or its address. */
const questions: [string, (of: Subject) => [string, Ask?]][] = [
  ['its QR code as PNG', ({ id }) => [`${baseUrl}/qr/${id}.png`]],
  ['its QR code as SVG', ({ id }) => [`${baseUrl}/qr/${id}.svg`]],
  [
    'its embedding',
    ({ origin }) => [`${baseUrl}/oembed?url=${encodeURIComponent(`${origin}/`)}&format=json`],
  ],
  ['its page', ({ origin }) => [`${origin}/`]],
  ['its headers', ({ origin }) => [`${origin}/`, { method: 'HEAD' }]],
  ['one of its files', ({ origin }) => [`${origin}/style.css`]],
  ['all its files', ({ origin }) => [`${origin}/_slipway/zip`]],
  ['the form for reports', ({ origin }) => [`${origin}/_slipway/report`]],
  ['a report', ({ origin }) => [`${origin}/_slipway/report`, json({ reason: 'spam' })]],
  ['an owner link', ({ origin }) => [`${origin}/_slipway/owner/none`]],
  ['a share link', ({ origin }) => [`${origin}/_slipway/share/${'A'.repeat(43)}`]],
  ['the next open of a share link', ({ origin }) => [`${origin}/_slipway/share?to=%2F`]],
  ['the button of a share link', ({ origin }) => [`${origin}/_slipway/share`, plainForm({})]],
  ['a preview', ({ origin }) => [`${origin}/_slipway/preview/none`]],
  ['a password', ({ origin }) => [`${origin}/_slipway/unlock`, plainForm({ password: 'guess' })]],
  ['an open', ({ origin }) => [`${origin}/_slipway/seen?id=a-page-load&path=%2F`]],
  [
    'an open by POST',
    ({ origin }) => [`${origin}/_slipway/open`, json({ id: 'a-page-load', path: '/' })],
  ],
];

const itsOwn = /^(?:date|age|x-request-id|x-amzn?-.*|content-length|ratelimit-reset)$/;

/** A response without the parts that differ each time. */
function said({ status, headers, text }: Answer, { id, origin }: Subject) {
  const told = Object.entries(headers).filter(([name]) => !itsOwn.test(name));
  const { host } = new URL(origin);
  return {
    status,
    told: Object.fromEntries(told),
    text: text.replaceAll(id, 'ID').replaceAll(host, 'HOST'),
  };
}

local('an unpublished project answers strangers as one that is not there', () => {
  const secret: Subject = { id: '', origin: '' };
  const nothing: Subject = { id: '', origin: '' };
  beforeAll(async () => {
    const key = await signIn();
    const { projectId, url } = await created(key, { fields: { title: 'Very secret' } });
    expect((await patch(key, projectId, { status: 'private' })).status).toBe(200);
    Object.assign(secret, { id: projectId, origin: url.replace(/\/$/, '') });
    const { protocol, host } = new URL(url);
    const elsewhere = `n${randomUUID()}${host.slice(host.indexOf('.'))}`;
    Object.assign(nothing, { id: randomUUID(), origin: `${protocol}//${elsewhere}` });
  });

  test.each(questions)('%s', async (_, questionTo) => {
    const answerTo = async (subject: Subject) => {
      const [url, how] = questionTo(subject);
      return said(await ask(url, { ...how, from: somebody() }), subject);
    };
    const [hidden, missing] = [await answerTo(secret), await answerTo(nothing)];
    expect(hidden).toEqual(missing);
    expect(hidden.text).not.toContain('Very secret');
  });
});
