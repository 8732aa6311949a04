import type { Attack, AttackResult, Target } from './attack.ts';
import { askForCode, guessCode, readMail, strangers, victim } from './sign-in-requests.ts';

/** How the owner of an address fared, and what it cost those who attacked. */
interface Siege {
  requests: number;
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
    ];
    const result: AttackResult = { requests: 0, observed: [], gained: [] };
    for (const [what, play] of sieges) {
      if (new Date() >= target.until) break;
      const { requests, keptOut } = await play(target);
      result.requests += requests;
      const came = keptOut === undefined ? 'the owner signed in' : `the owner met ${keptOut}`;
      result.observed.push(`After ${what}: ${came}.`);
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

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
