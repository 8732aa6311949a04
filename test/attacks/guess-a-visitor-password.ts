import { randomInt } from 'node:crypto';
import { cookieFrom, unlock } from '../fixtures/visits/access.ts';
import { sendWith, signIn } from '../fixtures/accounts/accounts.ts';
import { ask, file, somebody } from '../fixtures/clouds/client.ts';
import { aForm } from '../fixtures/uploads/multipart.ts';
import type { Attack, AttackResult, Target } from './attack.ts';

/** What the service promises: wrong tries of all strangers of a project together in a day. */
const allowedGuesses = 50;
const guessers = 16;
const mostRequests = 6000;

/** Five tries a minute from each of many addresses guess four digits in seconds. */
export const guessAVisitorPassword: Attack = {
  title: 'Guess the four digits of a visitor password from many addresses',
  run,
};

/** A page with four digits, which somebody was let in to before they were set anew. */
async function aVictim({ baseUrl }: Target) {
  const key = await signIn(undefined, baseUrl);
  const password = String(randomInt(10_000)).padStart(4, '0');
  const fields = { access: 'password', password };
  const { projectId, url } = await publishPage(baseUrl, key, fields);
  const cookie = cookieFrom(await unlock(url, password, { from: somebody() }));
  await sendWith(key, `${baseUrl}/v1/projects/${projectId}`, fields, 'PATCH');
  return { url, password, cookie };
}

async function publishPage(
  baseUrl: string,
  key: string,
  fields: Record<string, string>,
): Promise<{ projectId: string; url: string }> {
  const named = Object.entries({ title: 'Private', ...fields });
  const { body, contentType } = aForm([
    ...named.map(([name, value]) => ({ name, body: value })),
    file('index.html', '<h1>Private'),
  ]);
  const headers = { authorization: `Bearer ${key}`, 'content-type': contentType };
  const answer = await ask(`${baseUrl}/v1/projects`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`not published: ${answer.text}`);
  return answer.json.data;
}

async function run(target: Target): Promise<AttackResult> {
  const victim = await aVictim(target);
  const guesses = { next: 0, compared: 0, refused: 0, broken: 0, found: '' };
  const goesOn = () =>
    guesses.next < Math.min(10_000, mostRequests) &&
    guesses.found === '' &&
    new Date() < target.until;
  const guess = async () => {
    while (goesOn()) {
      const digits = String(guesses.next++).padStart(4, '0');
      const { status } = await unlock(victim.url, digits, { from: somebody() });
      if (status === 303) guesses.found = digits;
      if (status === 303 || status === 401) guesses.compared += 1;
      if (status === 429) guesses.refused += 1;
      if (status >= 500) guesses.broken += 1;
    }
  };
  await Promise.all(Array.from({ length: guessers }, guess));
  const { url, password, cookie } = victim;
  const known = await unlock(url, password, { from: somebody(), cookie });
  const { next, compared, refused, broken, found } = guesses;
  return {
    requests: next + 1,
    observed: [
      `${compared} guesses compared from as many addresses, ${refused} refused`,
      `a visitor who was let in before: ${known.status}`,
    ],
    gained: [
      ...(found === '' ? [] : [`the password: ${found}`]),
      ...(compared > allowedGuesses ? [`${compared} guesses of ${allowedGuesses}`] : []),
      ...(broken === 0 ? [] : [`${broken} answers of 500 or more`]),
      ...(known.status === 303 ? [] : ['whoever was let in before is kept out']),
    ],
  };
}
