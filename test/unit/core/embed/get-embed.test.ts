import { describe, expect, test } from '@jest/globals';
import { getEmbed } from '../../../../core/embed/get-embed.ts';
import { CodedError } from '../../../../core/errors.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { aManifest, aSite, noRoots, now } from '../../../fixtures/visits/a-site.ts';

const host = aSite().host;
const origin = `https://${host}`;
const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('4001f0000000', 'hex')]);
const caller = { address: '198.51.100.7', requestId: 'request', limits: [] };

const single = (file: string, type: ServingRecord['type']) => ({
  type,
  home: null,
  manifest: encodeManifest(aManifest(file)),
});
const several = {
  manifest: encodeManifest(aManifest('index.html', 'about.html', 'a.gif', 'a.mp4')),
};

async function embed(
  settings: Partial<ServingRecord>,
  { url = `${origin}/`, attempts = 1, stored = gif, ...input } = {} as Record<string, any>,
) {
  const deps = {
    roots: noRoots,
    sites: { get: async (requested: string) => (requested === host ? aSite(settings) : undefined) },
    content: { get: async () => stored },
    contents: contentMemory(),
    counters: { count: async () => attempts },
    addresses: { siteUrl: (of: string) => `https://${of}` },
    brand: 'Slipway',
    baseUrl: 'https://app.test',
    now: () => now,
  };
  return getEmbed(deps, caller, { url, format: 'json', ...input });
}

describe('what is embedded', () => {
  test('a picture is a photo: its own address and size', async () => {
    const answer = await embed(single('a b.gif', 'image'));
    expect(answer).toEqual({
      version: '1.0',
      type: 'photo',
      title: 'Harbour',
      provider_name: 'Slipway',
      provider_url: 'https://app.test',
      cache_age: 300,
      url: `${origin}/a%20b.gif`,
      width: 320,
      height: 240,
    });
  });

  test.each([
    [
      'a picture of unknown size',
      single('a.avif', 'image'),
      { stored: Buffer.alloc(9) },
      'rich',
      [800, 600],
    ],
    ['a film', single('a.mp4', 'video'), {}, 'video', [640, 360]],
    ['a sound', single('a.mp3', 'audio'), {}, 'rich', [640, 180]],
    ['a document', single('a.docx', 'document'), {}, 'rich', [800, 600]],
    ['a page', several, {}, 'rich', [800, 600]],
    ['a picture of a site', several, { url: `${origin}/a.gif` }, 'photo', [320, 240]],
    ['a film of a site', several, { url: `${origin}/a.mp4` }, 'video', [640, 360]],
  ] as const)('%s', async (_, settings, input, type, [width, height]) => {
    expect(await embed(settings, input)).toMatchObject({ type, width, height });
  });

  test('an iframe keeps the address, and nothing in it or in a title becomes markup', async () => {
    const url = `${origin}/?a=1&b="><script>#x`;
    const { html } = await embed({ ...several, pageTitle: '"><script>' }, { url });
    expect(html).toContain('title="&#34;&#62;&#60;script&#62;"');
    expect(html).toContain(`src="${origin}/?a=1&#38;b=%22%3E%3Cscript%3E#x"`);
    expect(html).toMatch(/^<iframe [^<>]+ sandbox="[^"]+"[^<>]*><\/iframe>$/);
  });

  test.each([
    ['a photo keeps its shape', single('a.gif', 'image'), { maxwidth: 100 }, [100, 75]],
    ['a film keeps its shape', single('a.mp4', 'video'), { maxheight: 180 }, [320, 180]],
    ['a page is cut', several, { maxwidth: 320, maxheight: 200 }, [320, 200]],
    ['nothing grows', single('a.gif', 'image'), { maxwidth: 5000, maxheight: 5000 }, [320, 240]],
    ['nothing vanishes', single('a.gif', 'image'), { maxwidth: 1, maxheight: 1 }, [1, 1]],
  ] as const)('bounds hold: %s', async (_, settings, bounds, [width, height]) => {
    const answer = await embed(settings, bounds);
    expect(answer).toMatchObject({ width, height });
    if (answer.html) expect(answer.html).toContain(`width="${width}" height="${height}"`);
  });
});

describe('what is not', () => {
  const code = (requested: Promise<unknown>) =>
    requested.then(
      () => 'answered',
      (error: unknown) => (error instanceof CodedError ? error.code : error),
    );

  test.each([
    ['with a password', { access: 'password' as const }, 'NOT_PUBLIC'],
    ['of its owner alone', { access: 'private' as const }, 'NOT_PUBLIC'],
    ['that is unpublished', { status: 'private' as const }, 'NOT_FOUND'],
    ['that is archived', { archivedAt: now.toISOString() }, 'NOT_FOUND'],
    ['whose time is over', { expiresAt: now.toISOString() }, 'NOT_FOUND'],
    ['that was taken down', { takenDown: true }, 'NOT_FOUND'],
  ])('a project %s', async (_, settings, wanted) => {
    expect(await code(embed({ ...several, ...settings }))).toBe(wanted);
  });

  test.each([
    ['another host', 'https://example.org/'],
    ['a path without a file', `${origin}/nothing.html`],
    ['no address', 'harbour'],
    ['an address without a host', 'data:text/html,a'],
    ['another scheme', `ftp://${host}/`],
  ])('%s', async (_, url) => {
    expect(await code(embed(several, { url }))).toBe('NOT_FOUND');
  });

  test('XML, and more than 120 in a minute', async () => {
    expect(await code(embed(several, { format: 'xml' }))).toBe('FORMAT_NOT_OFFERED');
    expect(await code(embed(several, { attempts: 121 }))).toBe('RATE_LIMITED');
  });
});
