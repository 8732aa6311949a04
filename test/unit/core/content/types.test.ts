import { describe, expect, test } from '@jest/globals';
import { ProjectType } from '../../../../contract/fields.ts';
import { detectType } from '../../../../core/content/detect-type.ts';
import { mediaType } from '../../../../core/content/media-type.ts';
import mime from 'mime';
import other from 'mime/types/other.js';
import standard from 'mime/types/standard.js';

const samples: [string, string][] = [
  ['a.html', 'html'],
  ['a.PDF', 'pdf'],
  ['a.jpeg', 'image'],
  ['a.svg', 'image'],
  ['a.pptx', 'presentation'],
  ['a.mp3', 'audio'],
  ['a.webm', 'video'],
  ['a.rs', 'code'],
  ['Dockerfile', 'code'],
  ['a.docx', 'document'],
  ['a.txt', 'document'],
  ['a.md', 'markdown'],
  ['a.yml', 'yaml'],
  ['a.sql', 'sql'],
  ['a.py', 'python'],
  ['a.glb', 'model3d'],
  ['a.unknown', 'files'],
  ['noextension', 'files'],
  ['.htaccess', 'code'],
  ['LICENSE', 'code'],
  ['.gitignore', 'code'],
  ['a.ml', 'code'],
  ['a.vtt', 'code'],
  ['a.geojson', 'code'],
];

describe('project types', () => {
  test.each(samples)('%s is %s', (name, type) => {
    expect(detectType(name)).toBe(type);
  });
  test('every type except zip, which is for archives, has a sample', () => {
    const seen = new Set(samples.map(([, type]) => type));
    expect(ProjectType.options.filter((type) => !seen.has(type))).toEqual(['zip']);
  });
});

describe('content types', () => {
  test.each([
    ['a.html', 'text/html; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.mjs', 'text/javascript; charset=utf-8'],
    ['a.json', 'application/json; charset=utf-8'],
    ['a.svg', 'image/svg+xml; charset=utf-8'],
    ['a.png', 'image/png'],
    ['a.woff2', 'font/woff2'],
    ['a.wasm', 'application/wasm'],
    ['a.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['a.ts', 'text/plain; charset=utf-8'],
    ['a.pdf', 'application/pdf'],
    ['a', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['a.__proto__', 'application/octet-stream'],
  ])('%s', (name, type) => {
    expect(mediaType(name)).toBe(type);
  });

  test('every extension of the list has the type of the package', () => {
    const ours = new Set(['ts', 'mts', 'tsx', 'jsx', 'py']);
    const lists: Record<string, string[]>[] = [standard, other];
    const extensions = lists
      .flatMap((list) => Object.values(list).flat())
      .map((extension) => extension.replace('*', ''))
      .filter((extension) => !ours.has(extension));
    expect(extensions.length).toBeGreaterThan(1000);
    const wrong = extensions.filter(
      (extension) => mediaType(`a.${extension}`).split(';')[0] !== mime.getType(extension),
    );
    expect(wrong).toEqual([]);
  });
});
