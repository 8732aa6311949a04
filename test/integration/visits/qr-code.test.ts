import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toString } from 'qrcode';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const cloud = new LocalCloud();
let apiKey: string;
let project: { projectId: string; url: string };
beforeAll(async () => {
  await cloud.start();
  apiKey = await signIn(anEmail(), cloud.baseUrl);
  project = await created(apiKey, { service: cloud.baseUrl });
});
afterAll(() => cloud.remove());

const qr = (file: string, accept = '*/*') =>
  ask(`${cloud.baseUrl}/qr/${file}`, { headers: { accept } });
const drawing = { type: 'svg', margin: 4, errorCorrectionLevel: 'M' } as const;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('the PNG of a project', () => {
  test.each([
    ['curl', '*/*'],
    ['a page in a browser', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['a picture in a page', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'],
    ['who asks for it', 'image/png'],
  ])('comes as bytes to %s', async (_, accept) => {
    const { status, headers, body } = await qr(`${project.projectId}.png`, accept);
    expect(status).toBe(200);
    expect(body.subarray(0, 8)).toEqual(signature);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
    });
  });
});

test('the SVG is the address of the project and nothing else', async () => {
  const { status, headers, text } = await qr(`${project.projectId}.svg`);
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(text).toBe(await toString(project.url, drawing));
  const other = await created(apiKey, { service: cloud.baseUrl });
  expect((await qr(`${other.projectId}.svg`)).text).not.toBe(text);
});

describe('there is no QR code', () => {
  test.each([
    ['of an unknown project', '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11.png'],
    ['of what is no id', 'x.png'],
    ['without an ending', '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11'],
  ])('%s', async (_, file) => {
    expectRefusal(await qr(file), 404, 'NOT_FOUND');
  });

  test('in an unknown format', async () => {
    expectRefusal(await qr(`${project.projectId}.gif`), 404, 'NOT_FOUND');
    expectRefusal(await qr(`${project.projectId}.png.svg`), 404, 'NOT_FOUND');
  });
});

test('an expired project has none, and an owner on the free plan is refused with the reason', async () => {
  const fields = { expiresIn: '1h' };
  const expiring = await created(apiKey, { fields, service: cloud.baseUrl });
  expect((await qr(`${expiring.projectId}.svg`)).status).toBe(200);
  await cloud.advance(3600);
  expectRefusal(await qr(`${expiring.projectId}.svg`), 404, 'NOT_FOUND');
  await cloud.advance(7 * 86_400);
  for (const file of [`${project.projectId}.png`, `${project.projectId}.svg`]) {
    const refused = await qr(file);
    expectRefusal(refused, 403, 'FREE_TIER_RESTRICTED');
    expect(refused.json.requiredTier).toBe('starter');
  }
});
