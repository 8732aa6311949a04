import { anEmail, mailsTo, signIn } from '../fixtures/accounts/accounts.ts';
import { Browser } from '../fixtures/visits/browser.ts';
import type { Attack, AttackResult, Target } from './attack.ts';
import { askForCode, guessCode, readMail, strangers, victim } from './sign-in-requests.ts';

/** What the service promises: mails of changes that an address gets in a day. */
const mailsOfChanges = 10;

/** How the owner of an address fared, and what it cost those who attacked. */
interface Siege {
  requests: number;
  /** Mails that the attack sent to them. */
  mails?: number;
  /** Why the owner could not sign in; undefined where they could. */
  keptOut?: string | undefined;
}

/** Strangers use up the tries, or the mails and the tries, of somebody who wants to sign in. */
export const lockSomebodyOut: Attack = {
  title: 'Keep the owner of an address from signing in',
  async run(target) {
    const sieges: [string, (target: Target) => Promise<Siege>][] = [
      ['20 wrong codes after the owner asked', guessAfterOwner],
      ['every mail and every try of the hour', useUpEverything],
      ['16 changes of an e-mail address to theirs, by four accounts', changeToOwner],
    ];
    const result: AttackResult = { requests: 0, observed: [], gained: [] };
    for (const [what, play] of sieges) {
      if (new Date() >= target.until) break;
      const { requests, mails = 0, keptOut } = await play(target);
      result.requests += requests;
      const came = keptOut === undefined ? 'signed in' : `met ${keptOut}`;
      const got = mails === 0 ? '' : ` got ${mails} mails of it and`;
      result.observed.push(`After ${what}: the owner${got} ${came}.`);
      if (mails > mailsOfChanges) result.gained.push(`${mails} mails to the owner by ${what}.`);
      if (keptOut !== undefined) result.gained.push(`The owner is kept out by ${what}.`);
    }
    return result;
  },
};

async function guessAfterOwner(target: Target): Promise<Siege> {
  const [email, from] = [victim(), strangers()];
  await askForCode(target, email, from(0));
  const mail = await readMail(target, email);
  if (mail === undefined) throw new Error('The inbox cannot be read here.');
  for (let index = 1; index <= 20; index += 1) {
    await guessCode(target, email, { code: wrong(mail.code), from: from(index) });
  }
  const answer = await guessCode(target, email, { code: mail.code, from: from(0) });
  return { requests: 22, keptOut: answer.status === 200 ? undefined : answer.json.code };
}

async function useUpEverything(target: Target): Promise<Siege> {
  const [email, from] = [victim(), strangers()];
  let requests = 0;
  for (let round = 0; round < 3; round += 1) {
    await askForCode(target, email, from(round));
    const mail = await readMail(target, email);
    for (let tries = 0; tries < 10; tries += 1) {
      const stranger = from(tries < 5 ? 10 + tries : round);
      await guessCode(target, email, { code: wrong(mail?.code ?? ''), from: stranger });
    }
    requests += 11;
  }
  await askForCode(target, email, from(100));
  const mail = await readMail(target, email);
  if (mail === undefined) throw new Error('The inbox cannot be read here.');
  const proof = { code: mail.code, from: from(100) };
  const plain = await guessCode(target, email, proof);
  if (plain.status === 200) return { requests: requests + 2 };
  // What the refusal says to do next.
  const answer = await guessCode(target, email, { ...proof, attemptToken: mail.longCode });
  const keptOut = answer.status === 200 ? undefined : answer.json.code;
  return { requests: requests + 3, keptOut };
}

/** An account asks again and again for the address of somebody who has one, each time from another network. */
async function changeToOwner(target: Target): Promise<Siege> {
  const [email, from] = [victim(), strangers()];
  await signIn(email, target.baseUrl);
  const before = await mailsTo(email, target.baseUrl);
  const thieves = await Promise.all(
    [1, 2, 3, 4].map(() => new Browser(anEmail(), target.baseUrl).signIn()),
  );
  for (let index = 0; index < 16; index += 1) {
    const thief = thieves[index % thieves.length];
    await thief?.send('POST', '/v1/account/email', { email }, { from: from(index * 250) });
  }
  const mails = (await mailsTo(email, target.baseUrl)).length - before.length;
  await askForCode(target, email, from(100));
  const code = (await readMail(target, email))?.code ?? '';
  const answer = await guessCode(target, email, { code, from: from(100) });
  const keptOut = answer.status === 200 ? undefined : answer.json.code;
  return { requests: 16 + 2 * thieves.length + 4, mails, keptOut };
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
