import { createInterface } from 'node:readline/promises';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { credentialsFile, saveKey } from './credentials.ts';
import type { Options } from './options.ts';
import { connect } from './service.ts';
import { requireKey, type Session } from './session.ts';
import { lineOf } from './terminal.ts';

/** `login`: with a mailed code, or with a key from standard input. */
export async function login(
  session: Session,
  [operand]: readonly string[],
  { key: fromInput }: Options,
): Promise<void> {
  const { context, service } = session;
  const key = fromInput === true ? await lineOf(context.stdin) : await keyByMail(session, operand);
  const { email, plan } = await connect(context, service.url, key).call('getSession', {});
  await saveKey(context, service.url, { key, email });
  session.say(`The key is in ${credentialsFile(context)}.`);
  session.answer({ email, plan, url: service.url }, [`Signed in as ${email} at ${service.url}.`]);
}

async function keyByMail(session: Session, operand: string | undefined): Promise<string> {
  const { context, service } = session;
  if (context.stdin.isTTY !== true) {
    throw usageError(
      'Signing in by mail needs a terminal.',
      'Pass a key on standard input: slipway login --key < key.txt, or set SLIPWAY_KEY.',
    );
  }
  const terminal = createInterface({
    input: context.stdin,
    output: process.stderr,
    terminal: true,
  });
  const ask = (question: string) => terminal.question(question, { signal: context.signal });
  try {
    const email = operand ?? (await ask('E-mail address: '));
    const { data } = await service.call('requestSignInCode', { email: email.trim() });
    session.say('We sent a six-digit code to this address. Leave this open.');
    for (let left = 3; left > 0; left -= 1) {
      const code = (await ask('Code: ')).trim();
      const answer = await service
        .call('verifySignInCode', { email: email.trim(), code, attemptToken: data.attemptToken })
        .catch((error: unknown) => {
          if (
            left === 1 ||
            !(error instanceof Error) ||
            !('code' in error) ||
            error.code !== 'OTP_INVALID'
          )
            throw error;
          session.say('This is not the code. Try again.');
          return undefined;
        });
      if (answer !== undefined) return answer.apiKey;
    }
  } finally {
    terminal.close();
  }
  throw new CommandError(exitCodes.signedOut, 'The code was wrong three times.', {
    next: 'Run: slipway login',
  });
}

/** `logout`: forgets the key on this computer. */
export async function logout(session: Session): Promise<void> {
  await saveKey(session.context, session.service.url, undefined);
  session.answer({ url: session.service.url }, [
    `The key for ${session.service.url} is forgotten here. It ends where you made it: ${session.service.url}/dashboard/keys`,
  ]);
}

/** `whoami`: whose key it is, and until when it works. */
export async function whoami(session: Session): Promise<void> {
  requireKey(session);
  const answer = await session.service.call('getSession', {});
  session.answer({ ...answer, url: session.service.url }, [
    `${answer.email} at ${session.service.url}, plan ${answer.plan}`,
  ]);
}
