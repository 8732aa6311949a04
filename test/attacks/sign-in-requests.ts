import { randomBytes, randomInt } from 'node:crypto';
import { type Answer, ask } from '../fixtures/clouds/client.ts';
import type { Target } from './attack.ts';

/** An address that nobody has signed in with. */
export function victim(): string {
  return `victim-${randomBytes(6).toString('hex')}@example.org`;
}

/** Client addresses, each another network; from a deployed service's side all of them are ours. */
export function strangers(): (index: number) => string {
  const [a, b] = [randomInt(1, 255), randomInt(0, 255)];
  return (index) => `127.${a}.${(b + Math.floor(index / 250)) % 256}.${1 + (index % 250)}`;
}

/** `POST /v1/auth/otp/request`. */
export function askForCode(target: Target, email: string, from: string | undefined) {
  return send(target, '/v1/auth/otp/request', { email }, from);
}

/** `POST /v1/auth/otp/verify`. */
export function guessCode(
  target: Target,
  email: string,
  guess: { code: string; attemptToken?: string | undefined; from: string | undefined },
): Promise<Answer> {
  const { from, ...proof } = guess;
  return send(target, '/v1/auth/otp/verify', { email, ...proof }, from);
}

/** What the latest mail brought to its reader; undefined where the inbox cannot be read. */
export async function readMail({ baseUrl }: Target, email: string) {
  const answer = await ask(`${baseUrl}/_local/mail.json?to=${encodeURIComponent(email)}`);
  if (answer.status !== 200) return undefined;
  const [mail] = answer.json.mails;
  const [code = ''] = /\b\d{6}\b/.exec(mail?.subject ?? '') ?? [];
  const [longCode] = /\b(?:[a-z]{4}-){5}[a-z]{4}\b/.exec(mail?.text ?? '') ?? [];
  return { code, longCode };
}

async function send({ baseUrl }: Target, path: string, body: unknown, from: string | undefined) {
  return ask(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(from === undefined ? {} : { from }),
  });
}
