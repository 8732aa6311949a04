import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signedUrl } from '../../../adapters/cloudfront/canned-policy.ts';
import { MediaKeyring } from '../../../core/secrets/media-keyring.ts';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';

const cloud = new LocalCloud();
/** Otherwise only files over 190 MB have one. */
const signedLinks = 'largeFileStreams=false';
const bytes = 'x'.repeat(5 * 1024 * 1024);
let site = '';

/** Where the gate sends a visitor of the large file. */
async function mediaLink(): Promise<URL> {
  const { status, headers } = await ask(`${site}/large.txt`);
  expect(status).toBe(302);
  return new URL(headers['location'] ?? '', site);
}

const keyIdOf = (link: URL) => link.searchParams.get('Key-Pair-Id') ?? '';

async function opens(url: string): Promise<boolean> {
  const { status, text } = await ask(url);
  expect([200, 403]).toContain(status);
  return status === 200 && text === bytes;
}

function keyring(): MediaKeyring {
  const kept = JSON.parse(readFileSync(join(cloud.stateDir, 'secrets.json'), 'utf8'));
  const versions = Object.values<any[]>(kept).flat();
  const current = versions.find(({ stages }) => stages.includes('media-current'));
  return MediaKeyring.parse(JSON.parse(current.value));
}

/** A link that a gate of an earlier generation signs; it lasts, so that a restart may come between. */
function linkOf(generation: number, { id, privateKey }: { id: string; privateKey: string }) {
  return async () => {
    const link = await mediaLink();
    const until = new Date(Date.now() + 600_000);
    const url = signedUrl(link.origin + link.pathname, { id, privateKey }, until);
    return [generation, await opens(url)] as const;
  };
}

describe('the media key is rotated by deployments', () => {
  const signers: ReturnType<typeof linkOf>[] = [];

  /** Checks which keys so far sign valid links, and that the gate's own link is valid. */
  async function deployed(generation: number, ...settings: string[]) {
    if (generation > 1) {
      await cloud.kill();
      await cloud.start(...settings, signedLinks);
    }
    const link = await mediaLink();
    expect(await opens(link.href)).toBe(true);
    const privateKey = keyring().privateKeys[generation] ?? '';
    if (signers.length < generation)
      signers.push(linkOf(generation, { id: keyIdOf(link), privateKey }));
    const works = await Promise.all(signers.map((open) => open()));
    return { id: keyIdOf(link), works: Object.fromEntries(works) };
  }

  beforeAll(async () => {
    await cloud.start(signedLinks);
    const key = await signIn(anEmail(), cloud.baseUrl);
    const zip = new JSZip();
    zip.file('index.html', '<h1>Large</h1>');
    zip.file('large.txt', bytes);
    const body = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
    const files = [file('site.zip', body)];
    const project: { url: string } = await created(key, {
      fields: {},
      files,
      service: cloud.baseUrl,
    });
    site = project.url;
  });
  afterAll(() => cloud.remove());

  test('new links are signed with the new key, old links work until the second rotation', async () => {
    const first = await deployed(1);
    expect(first.works).toEqual({ 1: true });
    const second = await deployed(2, 'mediaKeyGeneration=2');
    expect(second.works).toEqual({ 1: true, 2: true });
    const third = await deployed(3, 'mediaKeyGeneration=3');
    expect(third.works).toEqual({ 1: false, 2: true, 3: true });
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  });

  test('a deployment without the setting is refused with the reason and changes nothing', async () => {
    const before = keyring();
    await cloud.kill();
    await expect(cloud.start()).rejects.toThrow('Set it to 3 or 4, not 1.');
    expect(keyring()).toEqual(before);
    await cloud.start('mediaKeyGeneration=3', signedLinks);
    expect(await opens((await mediaLink()).href)).toBe(true);
  });

  test('the command prints what to deploy', async () => {
    const { code, stderr } = await adminCommand(
      'rotate',
      'MediaKey',
      '--state-dir',
      cloud.stateDir,
    );
    expect(code).toBe(1);
    expect(stderr).toContain('increase mediaKeyGeneration by one');
    const [, title = ''] = /docs\/runbook\.md, "([^"]+)"/.exec(stderr) ?? [];
    expect(readFileSync('docs/runbook.md', 'utf8')).toContain(`\n## ${title}\n`);
  });
});
