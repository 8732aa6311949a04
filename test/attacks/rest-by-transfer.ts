import { setTimeout as wait } from 'node:timers/promises';
import { anEmail, get, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file, somebody } from '../fixtures/clouds/client.ts';
import type { Attack } from './attack.ts';
import { publishFiles } from './publish-files.ts';

const mebibyte = 1024 ** 2;
const size = 3 * mebibyte;
const embedded = 8;
const wanted = 400;
const atOnce = 20;

/** Embeds somebody's file elsewhere, and asks for it in ways that send nothing. */
export const restByTransfer: Attack = {
  title:
    'Files that other sites embed cost without end, or requests that get nothing use up a month of bytes',
  async run({ baseUrl, until }) {
    const key = await signIn(anEmail(), baseUrl);
    const { url } = await publishFiles(key, baseUrl, [
      file('index.html', '<h1>Harbour</h1>'),
      file('photo.jpg', Buffer.alloc(size, 'v')),
    ]);
    const photo = (headers: Record<string, string>, from: string) =>
      ask(`${url}/photo.jpg`, { from, headers: { 'sec-fetch-dest': 'image', ...headers } });
    let received = 0;
    let etag = '';
    for (let visitor = 0; visitor < embedded; visitor += 1) {
      const answer = await photo({}, somebody());
      received += answer.body.length;
      etag = answer.headers.etag ?? etag;
    }
    const from = somebody();
    let sent = embedded;
    while (sent < wanted && new Date() < until) {
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, one) =>
          photo(one % 2 === 0 ? { 'if-none-match': etag } : { range: 'bytes=0-0' }, from),
        ),
      );
      for (const { body } of answers) received += body.length;
      sent += answers.length;
    }
    const counted = await countedOf(key, baseUrl);
    return {
      requests: sent,
      observed: [`${received} bytes were sent, of which ${counted} count for the plan`],
      gained: [
        ...(counted > received ? ['bytes that nobody got use up the month'] : []),
        // Each function keeps less than 4 MB of an account to itself.
        ...(counted < received / 2 ? ['bytes that were sent do not count'] : []),
      ],
    };
  },
};

/** The bytes of the month, once they stay the same for two seconds. */
async function countedOf(key: string, service: string): Promise<number> {
  let counted = -1;
  for (let look = 0; look < 15; look += 1) {
    const { usage } = (await get('/v1/user', key, service)).json.data;
    if (usage.bytes > 0 && usage.bytes === counted) return counted;
    counted = usage.bytes;
    await wait(2000);
  }
  return counted;
}
