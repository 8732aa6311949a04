import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import {
  type ArchiveLimits,
  officeLimits,
  unpackZipParts,
} from '../../../../../web/viewers/parts/zip-parts.ts';
import { writeStoredZip } from '../../../../../web/viewers/parts/write-stored-zip.ts';
import { ViewerError } from '../../../../../web/viewers/parts/fetch-file.ts';
import { bomb } from '../../../../fixtures/archives/hostile-archives.ts';
import { aDocx } from '../../../../fixtures/visits/sample-documents.ts';
import { buildZip } from '../../../../fixtures/archives/zip-builder.ts';

function bytesOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

const doctype = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>';
const utf16 = Buffer.from(`\uFEFF${doctype}`, 'utf16le');
const deflated = { method: 8 } as const;
const mebibyte = 1024 * 1024;

/** The same archive uncompressed, as viewers give it to their libraries. */
const unpackedArchive = async (
  bytes: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits = officeLimits,
) => writeStoredZip(await unpackZipParts(bytes, limits));

describe('unpacking', () => {
  test.each(['utf16le', 'utf16be'] as const)('a part in %s becomes UTF-8', async (encoding) => {
    const xml = '<?xml version="1.0" encoding="UTF-16" standalone="yes"?><a>Größe</a>';
    const bytes = Buffer.from(`\uFEFF${xml}`, 'utf16le');
    const content = encoding === 'utf16be' ? bytes.swap16() : bytes;
    const zip = buildZip({ entries: [{ name: 'a.xml', content }] });
    const [part] = await unpackZipParts(bytesOf(zip), officeLimits);
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe(
      '<?xml version="1.0" standalone="yes"?><a>Größe</a>',
    );
  });

  test.each([
    ['a.xml', '<a><!-- </a> --><b/></a>', '<a><b/></a>'],
    ['a.xml', '<?xml version="1.0"?><a><?b </a> ?></a>', '<?xml version="1.0"?><a></a>'],
    ['a.xml', '<a><![CDATA[</a>]]><!-- ', '<a>&lt;/a>'],
    ['a.bin', '<!DOCTYPE a [<!ENTITY b "<c/>">]><a>&b;</a>', '">]><a>&b;</a>'],
    ['a.bin', 'a<!-- b -->', 'a<!-- b -->'],
  ])('of %s, what stands in no element is taken out: %s', async (name, content, kept) => {
    const zip = buildZip({ entries: [{ name, content: Buffer.from(content) }] });
    const [part] = await unpackZipParts(bytesOf(zip), officeLimits);
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe(kept);
  });

  test('keeps every part unchanged, without compression', async () => {
    const letter = await aDocx('The harbour plan', {
      parts: { 'word/media/a.png': Buffer.from([1, 2, 3]) },
    });
    const bounded = await unpackedArchive(bytesOf(letter));
    const [before, after] = [await JSZip.loadAsync(letter), await JSZip.loadAsync(bounded)];
    const files = Object.values(before.files).filter(({ dir }) => !dir);
    expect(files.length).toBeGreaterThan(4);
    for (const { name } of files.filter(({ name }) => !name.startsWith('word/_rels'))) {
      const part = await after.file(name)?.async('nodebuffer');
      expect(part?.equals((await before.file(name)?.async('nodebuffer')) as Buffer)).toBe(true);
    }
    expect(Buffer.from(bounded).includes('<w:document')).toBe(true);
  });

  test('keeps links to other hosts, and removes what would be loaded from them', async () => {
    const bounded = await unpackedArchive(bytesOf(await aDocx('x')));
    const zip = await JSZip.loadAsync(bounded);
    const rels = await zip.file('word/_rels/document.xml.rels')?.async('string');
    expect(rels).toContain('Target="https://example.com/plan" TargetMode="External"');
    expect(rels).toContain('Target="styles.xml"');
    expect(rels).not.toContain('pictures.example');
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['no archive', Buffer.from('hello'), /damaged/],
    ['nothing', Buffer.alloc(0), /damaged/],
    ['the format before 2007', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /password/],
    ['an encrypted part', buildZip({ entries: [{ name: 'a', flags: 1 }] }), /password/],
    ['another method', buildZip({ entries: [{ name: 'a', method: 12 }] }), /damaged/],
    ['a size that lies', bomb(), /damaged/],
    ['a document type', buildZip({ entries: [{ name: 'a.xml', content: doctype }] }), /damaged/],
    [
      'a document type in UTF-16',
      buildZip({ entries: [{ name: 'a.rels', content: utf16, ...deflated }] }),
      /damaged/,
    ],
    [
      'a directory that points outside',
      buildZip({ entries: [{ name: 'a', central: { localHeaderAt: 0xfffffff0 } }] }),
      /damaged/,
    ],
    [
      'data that is no deflate stream',
      buildZip({ entries: [{ name: 'a', ...deflated, data: Buffer.from([255, 255, 255]) }] }),
      /damaged/,
    ],
    [
      'more than it may hold',
      buildZip({ entries: [{ name: 'a', ...deflated, content: Buffer.alloc(3 * mebibyte) }] }),
      /too large/,
    ],
    [
      'more XML than it may hold',
      buildZip({ entries: [{ name: 'a.xml', ...deflated, content: Buffer.alloc(mebibyte + 1) }] }),
      /too large/,
    ],
    [
      'too many parts',
      buildZip({ entries: Array.from({ length: 11 }, (_, index) => ({ name: `${index}` })) }),
      /too many parts/,
    ],
  ])('refuses %s', async (_, archive, reason) => {
    const limits = { entries: 10, bytes: 2 * mebibyte, xmlBytes: mebibyte };
    const refusal = await unpackedArchive(bytesOf(archive), limits).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ViewerError);
    expect((refusal as ViewerError).message).toMatch(reason);
  });

  test('keeps the list of parts of OpenOffice 2, whose document type declares nothing', async () => {
    const listed = (inside: string) =>
      bytesOf(
        buildZip({
          entries: [
            {
              name: 'META-INF/manifest.xml',
              content: Buffer.from(
                `<?xml version="1.0"?>\n<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"${inside}><a/>`,
              ),
            },
          ],
        }),
      );
    const [part] = await unpackZipParts(listed(''), officeLimits);
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe('<?xml version="1.0"?>\n<a/>');
    await expect(unpackZipParts(listed(' [<!ENTITY a "b">]'), officeLimits)).rejects.toThrow(
      /damaged/,
    );
  });

  test('unpacks at most the declared size', async () => {
    const archive = bytesOf(bomb());
    const before = process.memoryUsage().arrayBuffers;
    await unpackedArchive(archive).catch(() => undefined);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * mebibyte);
  });
});
