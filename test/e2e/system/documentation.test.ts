import { describe, expect, test } from '@jest/globals';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const crawled = new Map<string, string>();

/** Every address of the service that the front page and the documentation lead to. */
async function crawl(): Promise<Map<string, string>> {
  const waiting = ['/', '/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (crawled.has(path)) continue;
    const answer = await ask(`${baseUrl}${path}`, { headers: browser });
    expect([path, answer.status]).toEqual([path, 200]);
    const isPage = String(answer.headers['content-type']).startsWith('text/html');
    crawled.set(path, isPage ? answer.text : '');
    if (isPage && /^\/(?:docs.*)?$/.test(path)) waiting.push(...linksIn(answer.text));
  }
  return crawled;
}

function linksIn(markup: string): string[] {
  return [...markup.matchAll(/<a [^>]*?href="([^"#]*)/g)]
    .map(([, href = '']) => (href.startsWith(baseUrl) ? href.slice(baseUrl.length) : href))
    .filter((href) => href.startsWith('/'));
}

describe('point 12: /docs', () => {
  test('every link has a target, and each page has one heading of the first level', async () => {
    const found = await crawl();
    for (const path of [
      '/docs/getting-started',
      '/docs/errors',
      '/docs/api/projects',
      '/dashboard',
    ]) {
      expect([...found.keys()]).toContain(path);
    }
    for (const [path, markup] of found) {
      if (!path.startsWith('/docs')) continue;
      expect([path, markup.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
      for (const [, anchor] of markup.matchAll(/href="#([^"]+)"/g)) {
        expect(markup).toContain(`id="${anchor}"`);
      }
      expect(markup).not.toMatch(/app\.example\.com|sites\.example\.net| style="/);
    }
  });

  test('a page runs no script and may be cached for some minutes', async () => {
    const answer = await ask(`${baseUrl}/docs/api/projects`);
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(answer.headers['content-security-policy']).not.toContain('script-src');
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
  });

  test('every page is also available as Markdown', async () => {
    const answer = await ask(`${baseUrl}/docs/connect.md`);
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(answer.text).toMatch(/^# Connect an agent\n/);
    expect(answer.text).toContain(`${baseUrl}/mcp`);
  });

  test('the docs link of GET /v1 leads to it', async () => {
    expect((await ask(`${baseUrl}/v1`)).json.docs).toBe(`${baseUrl}/docs`);
  });
});

describe('point 12: an address that does not exist', () => {
  test.each(['/nothing', '/docs/nothing', '/docs/api/nothing', '/docs/__proto__'])(
    '%s: a page for browsers, JSON for programs',
    async (path) => {
      const page = await ask(`${baseUrl}${path}`, { headers: browser });
      expect(page.status).toBe(404);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.text).toContain('<h1>There is nothing at this address</h1>');
      expectRefusal(await ask(`${baseUrl}${path}`), 404, 'NOT_FOUND');
      // The pages below /docs can only be read, whether they exist or not.
      const status = path.startsWith('/docs/') ? 405 : 404;
      const sent = { method: 'POST', body: '{}' };
      expect((await ask(`${baseUrl}${path}`, { ...sent, headers: browser })).status).toBe(status);
      const code = status === 405 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND';
      expectRefusal(await ask(`${baseUrl}${path}`, sent), status, code);
    },
  );
});

test('point 12: an address of the API that does not exist answers JSON to browsers too', async () => {
  expectRefusal(await ask(`${baseUrl}/v1/nothing`, { headers: browser }), 404, 'NOT_FOUND');
});

describe('point 12: files that browsers and crawlers request', () => {
  test('favicon.ico is an icon', async () => {
    const answer = await fetch(`${baseUrl}/favicon.ico`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
    expect(bytes.subarray(22, 26)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  });

  test('robots.txt keeps crawlers away from addresses with tokens', async () => {
    const answer = await ask(`${baseUrl}/robots.txt`);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toMatch(/^User-agent: \*\nDisallow: \/claim\/\n/);
  });
});
