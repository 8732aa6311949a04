import { describe, expect, test } from '@jest/globals';
import { manifestHash, manifestKey, StoreId } from '../../../../core/content/content-keys.ts';
import { encodeRules } from '../../../../core/site-rules/site-rules.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import {
  encodeContent,
  encodeManifest,
  loadContent,
  type Manifest,
} from '../../../../core/visit/manifest.ts';
import { aManifest, aSite } from '../../../fixtures/visits/a-site.ts';

const rules = encodeRules({
  redirects: [],
  headers: [{ line: 1, path: '/*', set: [], unset: [] }],
});

/** A storage that counts its reads. */
function storage() {
  const objects = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const get = async (key: string) => {
    reads.push(key);
    return objects.get(key);
  };
  return { objects, reads, content: { get } };
}

/** A site whose files and rules are an object. */
function aLargeSite(objects: Map<string, Uint8Array>, files: Manifest, store = 'a1') {
  const bytes = encodeContent(encodeManifest(files), rules);
  const hash = manifestHash(bytes);
  const site = aSite({ store: StoreId.parse(store), manifestHash: hash });
  objects.set(manifestKey(site.projectId, site.store, hash), bytes);
  return site;
}

describe('files and rules that are an object', () => {
  test('are read once, and not again until the site has others', async () => {
    const { objects, reads, content } = storage();
    const deps = { content, contents: contentMemory() };
    const first = aLargeSite(objects, aManifest('a.html'));
    const next = aLargeSite(objects, aManifest('b.html'));
    for (const site of [first, first, next, first, next]) {
      const shown = await loadContent(deps, site);
      expect([...(shown?.files.keys() ?? [])]).toEqual(site === first ? ['a.html'] : ['b.html']);
      expect(Buffer.from(shown?.rules ?? []).equals(Buffer.from(rules ?? []))).toBe(true);
    }
    expect(reads).toHaveLength(2);
  });

  test('are nothing once they were removed, which is not remembered', async () => {
    const { objects, content } = storage();
    const deps = { content, contents: contentMemory() };
    const site = aLargeSite(objects, aManifest('a.html'));
    const [[key, bytes] = ['', Buffer.of()]] = [...objects];
    objects.clear();
    expect(await loadContent(deps, site)).toBeUndefined();
    objects.set(key, bytes);
    expect((await loadContent(deps, site))?.files.size).toBe(1);
  });

  test('of a row that has both are read from it', async () => {
    const { reads, content } = storage();
    const site = aSite({ manifest: encodeManifest(aManifest('in.html')) });
    const shown = await loadContent({ content, contents: contentMemory() }, site);
    expect([[...(shown?.files.keys() ?? [])], reads]).toEqual([['in.html'], []]);
  });
});

describe('the memory of contents', () => {
  const shown = (path: string) => ({ files: aManifest(path), rules: undefined });

  test('forgets what was not needed for longest when it is full', () => {
    const memory = contentMemory(700);
    memory.add('a', shown('a'));
    memory.add('b', shown('b'));
    memory.get('a');
    memory.add('c', shown('c'));
    expect(['a', 'b', 'c'].map((key) => memory.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('counts a content once that is added twice', () => {
    const memory = contentMemory(700);
    for (const key of ['a', 'b', 'b', 'b']) memory.add(key, shown(key));
    expect(memory.get('a')).toBeDefined();
  });

  test('does not hold one that is larger alone, and keeps the others', () => {
    const memory = contentMemory(700);
    memory.add('a', shown('a'));
    memory.add('large', { files: aManifest('x', 'y', 'z'), rules: undefined });
    expect([memory.get('a') !== undefined, memory.get('large')]).toEqual([true, undefined]);
  });
});
