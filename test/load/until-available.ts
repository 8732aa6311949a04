import type { Answer } from '../fixtures/clouds/client.ts';
import type { Findings } from './findings.ts';

const unavailable = 503;
const maxAttempts = 5;

/**
 * Sends a request again after 503, as late as `Retry-After` says. For requests that may be sent twice;
 * after the last attempt the answer is the 503.
 */
export async function untilAvailable(
  findings: Findings,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send();
    if (answer.status !== unavailable) return answer;
    findings.refused();
    const seconds = Number(answer.headers['retry-after']);
    if (!(seconds > 0)) findings.problem('a 503 does not say when to try again');
    if (attempt === maxAttempts) return answer;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
