import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { html } from '../../../../../web/pages/parts/html.ts';
import { renderPage } from '../../../../../web/pages/parts/page.ts';
import { anUpload, brand, everyPage, hostile, landing } from '../every-page.ts';

function hashesOf(document: string, tag: 'style' | 'script'): string[] {
  const inline = document.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'));
  return [...inline].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

function directives(csp: string): Map<string, string> {
  return new Map(
    csp.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

/** Tags outside of style and script that are open at the end, or closed without having been opened. */
function unbalanced(document: string): string[] {
  const voids = new Set(['meta', 'link', 'input', 'br', 'path']);
  const open: string[] = [];
  const markup = document.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
  for (const [, slash, name = '', selfClosing] of markup.matchAll(
    /<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|[^">])*?(\/?)>/g,
  )) {
    if (slash === '/') {
      if (open.pop() !== name) return [`</${name}>`];
    } else if (selfClosing !== '/' && !voids.has(name)) open.push(name);
  }
  return open;
}

/** The tag of the script of `web/app/page-scripts`. */
const appScript = '<script type="module" src="/dashboard/pages.js"></script>';

describe.each(everyPage)('%s', (_, page) => {
  test('allows exactly its own inline style and script, and that of the app where it has it', () => {
    const policy = directives(page.csp);
    expect(policy.get('style-src')).toBe(hashesOf(page.html, 'style').join(' '));
    const scripts = [
      ...(page.html.includes(appScript) ? ["'self'"] : []),
      ...hashesOf(page.html, 'script'),
    ];
    expect(policy.get('script-src') ?? '').toBe(scripts.join(' '));
    expect(page.html.replace(appScript, '')).not.toMatch(/<script[^>]+(?:src|type)=/);
    expect(page.html).not.toMatch(/<[^>]*\sstyle=/);
    expect(page.html).not.toMatch(/<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*\son[a-z]+=/);
  });

  test('denies what it does not need', () => {
    const policy = directives(page.csp);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('img-src')).toBe("'self' data:");
    const own = page.csp.replace(` ${anUpload().storageOrigin};`, ';');
    expect(own).not.toMatch(/unsafe|\*|https?:/);
  });

  test('loads nothing from another host', () => {
    const own = page.html
      .replaceAll(landing.baseUrl, '')
      .replaceAll(`https://calm-harbour-k7m2.${landing.sitesDomain}`, '');
    expect(own).not.toMatch(/(?:https?:)\/\/[a-z]/);
    expect(own).not.toMatch(/(?:href|src|action|xlink:href)="\/\//);
    expect(own).not.toMatch(/@import|url\(/);
  });

  test('is one well-formed document with a language and one h1', () => {
    expect(page.html.startsWith('<!doctype html>\n<html lang="en">')).toBe(true);
    expect(page.html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page.html.match(/<main[ >]/g)).toHaveLength(1);
    expect(page.html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    expect(unbalanced(page.html)).toEqual([]);
    const ids = [...page.html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('escapes every name', () => {
    expect(page.html).not.toContain('<img');
    expect(page.html).not.toMatch(/[\u202E\u2028]/);
    expect(page.html.match(/<\/style>/g)).toHaveLength(hashesOf(page.html, 'style').length);
  });
});

describe('renderPage', () => {
  const body = html`<main><h1>x</h1></main>`;

  test('escapes title and description', () => {
    const page = renderPage({ brand, title: hostile, description: hostile, body });
    expect(page.html).toContain('<title>&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(page.html).toContain(' · Slip &amp; Way</title>');
    expect(page.html).toContain('<meta name="description" content="&quot;&#39;&gt;&lt;img');
  });

  test('has noindex only on request', () => {
    const noindex = '<meta name="robots" content="noindex">';
    expect(renderPage({ brand, title: 't', body, noIndex: true }).html).toContain(noindex);
    expect(renderPage({ brand, title: 't', body, noIndex: false }).html).not.toContain(noindex);
    expect(renderPage({ brand, title: 't', body }).html).not.toContain('name="robots"');
  });

  test.each([
    [{}, "form-action 'none'", "frame-ancestors 'none'"],
    [{ forms: true }, "form-action 'self'", "frame-ancestors 'none'"],
    [{ framed: true }, "form-action 'none'", "frame-ancestors 'self'"],
  ])('opens forms and frames only on request: %j', (wishes, forms, frames) => {
    const { csp } = renderPage({ brand, title: 't', body, ...wishes });
    expect(csp).toContain(forms);
    expect(csp).toContain(frames);
    expect(csp).not.toContain('script-src');
    expect(csp).not.toContain('connect-src');
  });

  test('omits form-action if the form’s response redirects to another host', () => {
    const { csp } = renderPage({ brand, title: 't', body, forms: 'anywhere' });
    expect(csp).not.toContain('form-action');
    expect(csp).toContain("frame-ancestors 'none'");
  });

  test('keeps a script byte for byte, so that its hash matches', () => {
    const page = renderPage({ brand, title: 't', body, script: 'a < b\n\n\n&& "c";' });
    expect(page.html).toContain('<script>a < b\n\n\n&& "c";</script>');
    expect(page.csp).toContain("connect-src 'self';");
    const connect = 'https://storage.example';
    const { csp } = renderPage({ brand, title: 't', body, script: 'a', connect });
    expect(csp).toContain("connect-src 'self' https://storage.example;");
  });

  test('runs the script of the app only on request', () => {
    const page = renderPage({ brand, title: 't', body, appScript: true });
    expect(page.html).toContain(appScript);
    expect(page.csp).toContain("script-src 'self'; connect-src 'self';");
  });
});
