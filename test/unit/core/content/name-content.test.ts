import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import JSZip from 'jszip';
import { nameForContent } from '../../../../core/content/name-content.ts';
import { checkPath } from '../../../../core/content/safe-path.ts';
import { detectType } from '../../../../core/content/detect-type.ts';

const zipOf = async (...names: string[]) => {
  const zip = new JSZip();
  for (const name of names) zip.file(name, 'x');
  return zip.generateAsync({ type: 'nodebuffer' });
};

test.each([
  ['a declared type', 'x', 'text/markdown; charset=utf-8', 'file.md'],
  ['declared HTML', 'x', 'Text/HTML', 'index.html'],
  ['a declared picture', 'x', 'image/jpeg', 'file.jpg'],
  ['an unknown type, by its content', '%PDF-1.7', 'application/x-none', 'file.pdf'],
  [
    'text of fetch that is HTML',
    '\ufeff\n<!DOCTYPE html><p>',
    'text/plain;charset=UTF-8',
    'index.html',
  ],
  ['HTML without a doctype', '<h1>A</h1>', '', 'index.html'],
  ['a drawing', '<?xml version="1.0"?>\n<svg xmlns="x"/>', '', 'file.svg'],
  ['text that begins like a tag', '<price>', '', 'file.txt'],
  ['text', 'é and more', 'application/octet-stream', 'file.txt'],
  ['PNG', Buffer.from('89504e470d0a1a0a', 'hex'), '', 'file.png'],
  ['MP4', Buffer.from('\0\0\0\x18ftypisom', 'latin1'), '', 'file.mp4'],
  ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), '', 'file.webp'],
  ['bytes', Buffer.from([0xff, 0, 1]), '', 'file.bin'],
])('names %s', (_, content, type, name) => {
  expect(nameForContent(Buffer.from(content), type)).toBe(name);
});

test('a ZIP is unpacked by its name, an office document is none', async () => {
  expect(nameForContent(await zipOf('index.html'), '')).toBe('file.zip');
  const types = '[Content_Types].xml';
  expect(nameForContent(await zipOf(types, 'word/document.xml'), '')).toBe('file.docx');
  expect(nameForContent(await zipOf(types, 'ppt/presentation.xml'), '')).toBe('file.pptx');
  expect(nameForContent(await zipOf(types, 'xl/workbook.xml'), '')).toBe('file.xlsx');
});

test('anything gets a safe name, and a type', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (bytes, type) => {
      const name = nameForContent(Buffer.from(bytes), type);
      expect(checkPath(name)).toEqual({ ok: true, path: name });
      expect(detectType(name)).not.toBe('');
    }),
  );
});
