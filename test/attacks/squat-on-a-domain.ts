import { setTimeout } from 'node:timers/promises';
import { anEmail, sendWith, signIn } from '../fixtures/accounts/accounts.ts';
import type { Answer } from '../fixtures/clouds/client.ts';
import { CustomerDomain } from '../fixtures/domains/customer-domain.ts';
import type { Attack, Target } from './attack.ts';

const squatters = 3;
/** Names that each invents; it removes those that its plan has no room for. */
const inventions = 20;

/** Accounts invent names beneath a domain that is not theirs, before its owner comes. */
export const squatOnADomain: Attack = {
  title: 'Invented names beneath a domain keep its owner out',
  async run(target) {
    const owner = new CustomerDomain(target.baseUrl, await signIn(anEmail(), target.baseUrl));
    const all = await Promise.all(
      Array.from({ length: squatters }, (_, index) => invent(target, owner.name, index)),
    );
    const removed = all.flatMap((one) => one.removed);
    const send = (path: string, body?: unknown) =>
      sendWith(owner.key, `${target.baseUrl}/v1/domains${path}`, body);
    const free = await send('', { domain: removed[0] });
    const proved = await prove(owner);
    const late = await Promise.all(all.map(({ key, kept }) => lateRequests(target, key, kept)));
    const touched = late.flat().filter((answer) => answer.status !== 404);
    const sent = all.reduce((sum, one) => sum + one.requests, 0);
    return {
      requests: sent + 1 + proved.requests + late.flat().length,
      observed: [
        `${squatters} accounts invented ${removed.length + late.flat().length} names; one that was removed is answered ${free.status} to another account`,
        `the owner's domain is \`${proved.status}\`; ${touched.length} of ${late.flat().length} claims without proof are left`,
      ],
      gained: [
        ...(free.status === 201 ? [] : ['A name that nobody proved stays held after its removal']),
        ...(proved.status === 'ssl_active'
          ? []
          : [`The owner got no further than ${proved.status}`]),
        ...(touched.length === 0 ? [] : ['Claims without proof outlive the proof of the owner']),
      ],
    };
  },
};

async function invent({ baseUrl, until }: Target, zone: string, index: number) {
  const key = await signIn(anEmail(), baseUrl);
  const url = `${baseUrl}/v1/domains`;
  const removed: string[] = [];
  let kept: string[] = [];
  let requests = 0;
  let room = inventions;
  const removeOldest = async (count: number) => {
    await sendWith(key, `${url}/${kept[0]}`, undefined, 'DELETE');
    removed.push(`n${index}-${count - kept.length}.${zone}`);
    kept = kept.slice(1);
    requests += 1;
  };
  for (let count = 0; count < inventions && new Date() < until; count += 1) {
    const domain = `n${index}-${count}.${zone}`;
    // A refusal counts as one of 30 additions in an hour: only the first tells how many the plan has room for.
    if (kept.length === room) await removeOldest(count);
    let answer = await sendWith(key, url, { domain });
    requests += 1;
    if (answer.status === 403 && kept.length > 0) {
      room = kept.length;
      await removeOldest(count);
      answer = await sendWith(key, url, { domain });
      requests += 1;
    }
    // The account has had its looks at DNS of this minute.
    if (answer.status === 429) break;
    if (answer.status !== 201) throw new Error(`not added: ${answer.text}`);
    kept.push(answer.json.data.id);
  }
  // A slow machine adds fewer names than a plan has room for.
  if (removed.length === 0) await removeOldest(kept.length);
  return { key, removed, kept, requests };
}

async function prove(owner: CustomerDomain) {
  await owner.add();
  await owner.setAll();
  let status = '';
  let requests = 1;
  for (; requests < 9 && status !== 'ssl_active'; requests += 1) {
    await owner.setAll();
    ({ status } = await owner.check());
    // A certificate and a place at the edge take a moment, and ten checks a minute are allowed.
    await setTimeout(3000);
  }
  return { status, requests };
}

/** What the squatters ask of the names that they still had. */
function lateRequests(
  { baseUrl }: Target,
  key: string,
  kept: readonly string[],
): Promise<Answer[]> {
  return Promise.all(kept.map((id) => sendWith(key, `${baseUrl}/v1/domains/${id}/check`)));
}
