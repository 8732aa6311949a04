import { describe, expect, test } from '@jest/globals';
import { ProjectType } from '../../../../contract/fields.ts';
import { detectType } from '../../../../core/content/detect-type.ts';
import { hasKnownType, mediaType, typeOfFile } from '../../../../core/content/media-type.ts';
import { corrections } from '../../../../core/content/type-corrections.ts';
import mime from 'mime';
import mimeDb from 'mime-db/db.json' with { type: 'json' };
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
    ['a.plist', 'text/xml; charset=utf-8'],
    ['a.mobileconfig', 'application/x-apple-aspen-config'],
    ['a.ndjson', 'application/x-ndjson; charset=utf-8'],
    ['a.jsonl', 'application/jsonl; charset=utf-8'],
    ['a.topojson', 'application/json; charset=utf-8'],
    ['a.geojson', 'application/geo+json; charset=utf-8'],
    ['a.pmtiles', 'application/vnd.pmtiles'],
    ['a.parquet', 'application/vnd.apache.parquet'],
    ['a.feather', 'application/vnd.apache.arrow.file'],
    ['a.ipc', 'application/vnd.apache.arrow.file'],
    ['a.onnx', 'application/octet-stream'],
    ['a.ply', 'model/ply'],
    ['a.usdz', 'model/vnd.usdz+zip'],
    ['a.glb', 'model/gltf-binary'],
    ['a.gltf', 'model/gltf+json'],
    ['a.avif', 'image/avif'],
    ['a.m3u8', 'application/vnd.apple.mpegurl'],
    ['a.mpd', 'application/dash+xml; charset=utf-8'],
    ['a.m4s', 'video/iso.segment'],
    ['a.ttf', 'font/ttf'],
    ['a.otf', 'font/otf'],
    ['a.woff', 'font/woff'],
    ['a.ttc', 'font/collection'],
    ['a.eot', 'application/vnd.ms-fontobject'],
    ['a.cur', 'image/vnd.microsoft.icon'],
    ['.well-known/apple-app-site-association', 'application/json; charset=utf-8'],
    ['apple-app-site-association', 'application/json; charset=utf-8'],
    ['.well-known/openid-configuration', 'application/json; charset=utf-8'],
    ['.well-known/matrix/server', 'application/json; charset=utf-8'],
    ['.well-known/host-meta', 'application/xrd+xml; charset=utf-8'],
    ['.well-known/acme-challenge/x', 'application/octet-stream'],
    ['openid-configuration', 'application/octet-stream'],
    ['a', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['a.__proto__', 'application/octet-stream'],
  ])('%s', (name, type) => {
    expect(mediaType(name)).toBe(type);
  });

  test('bytes say more than a name', () => {
    expect(typeOfFile('hls/1.ts', { isVideo: true })).toBe('video/mp2t');
    expect(typeOfFile('a.ts', {})).toBe('text/plain; charset=utf-8');
    expect(typeOfFile('LICENSE', { isText: true })).toBe('text/plain; charset=utf-8');
    expect(typeOfFile('a.bin', { isText: true })).toBe('application/octet-stream');
  });

  test('models and tables that are text are never taken for plain text', () => {
    const names = ['a.ply', 'a.onnx', 'a.jsonl', 'apple-app-site-association', 'a.plist'];
    expect(names.filter((name) => !hasKnownType(name))).toEqual([]);
  });

  /** A name that is TypeScript's as well is no video by itself; Mermaid's is that of a karaoke format. */
  const ofPrograms = new Set(['ts', 'mts', 'jsx', 'mmd']);

  test('where mime-db knows an extension, ours is one of its types', () => {
    const known = new Map<string, string[]>();
    for (const [type, entry] of Object.entries(mimeDb)) {
      for (const one of 'extensions' in entry ? entry.extensions : [])
        known.set(one, [...(known.get(one) ?? []), type]);
    }
    expect(known.size).toBeGreaterThan(1000);
    const wrong = [...known].filter(
      ([one, types]) => !types.includes(mediaType(`a.${one}`).split(';')[0] ?? ''),
    );
    expect(wrong.map(([one]) => one).filter((one) => !ofPrograms.has(one))).toEqual([]);
  });

  test('every extension of the list has the type of the package', () => {
    const ours = new Set(corrections.keys());
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
