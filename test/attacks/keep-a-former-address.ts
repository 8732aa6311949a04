import { randomBytes } from 'node:crypto';
import { anEmail, signIn } from '../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, publishTo } from '../fixtures/clouds/client.ts';
import { aForm, type FormPart } from '../fixtures/uploads/multipart.ts';
import type { Attack, AttackResult } from './attack.ts';

const site = [file('index.html', '<h1>Former'), file('sw.js', 'onfetch = () => undefined;')];

/** Publishes with a service worker, leaves, and looks whether somebody else gets its visitors. */
export const keepAFormerAddress: Attack = {
  title: 'A former tenant keeps the visitors of an address that another account has now',
  async run({ baseUrl }) {
    const requests: Promise<Answer>[] = [];
    const send = (answer: Promise<Answer>) => {
      requests.push(answer);
      return answer;
    };
    const people = {
      former: await signIn(anEmail(), baseUrl),
      next: await signIn(anEmail(), baseUrl),
      baseUrl,
      send,
    };
    const findings = [
      await takeLeftAddress(people),
      await keepWorker(people),
      await nameTemporarySlug(people),
    ];
    return {
      requests: requests.length,
      observed: findings.flatMap(({ observed }) => observed),
      gained: findings.flatMap(({ gained }) => gained),
    };
  },
};

interface People {
  former: string;
  next: string;
  baseUrl: string;
  send: (answer: Promise<Answer>) => Promise<Answer>;
}

type Findings = Pick<AttackResult, 'observed' | 'gained'>;

/** The address after a delete and after a rename, asked for by another account at once. */
async function takeLeftAddress(people: People): Promise<Findings> {
  const { former, next, send, baseUrl } = people;
  const [deleted, renamed] = [aSlug(), aSlug()];
  const first = await published(people, deleted);
  await send(withKey(former, `${baseUrl}/v1/projects/${first.projectId}`, 'DELETE'));
  const second = await published(people, renamed);
  const body = JSON.stringify({ slug: aSlug() });
  await send(withKey(former, `${baseUrl}/v1/projects/${second.projectId}`, 'PATCH', body));
  const passedOn: string[] = [];
  for (const [how, slug] of [
    ['delete', deleted],
    ['rename', renamed],
  ] as const) {
    const { status } = await send(publish(next, baseUrl, slug));
    if (status === 201) passedOn.push(`Another account got an address right after its ${how}`);
  }
  return { observed: [`2 addresses left, ${passedOn.length} passed on at once`], gained: passedOn };
}

/** The service worker of a deleted project: a 404 leaves it in its browsers. */
async function keepWorker(people: People): Promise<Findings> {
  const { former, send, baseUrl } = people;
  const { projectId, url } = await published(people, aSlug());
  await send(withKey(former, `${baseUrl}/v1/projects/${projectId}`, 'DELETE'));
  const { status } = await send(
    ask(`${url}/sw.js`, {
      headers: { 'service-worker': 'script', 'sec-fetch-mode': 'same-origin' },
    }),
  );
  return {
    observed: [`the script of a deleted project's service worker is answered ${status}`],
    gained: status === 200 ? [] : ['The service worker of a deleted project stays in browsers'],
  };
}

/** The address of somebody's temporary project, or one like it, asked for by name. */
async function nameTemporarySlug({ next, send, baseUrl }: People): Promise<Findings> {
  const answer = await send(publishTo(baseUrl, site));
  if (answer.status !== 200) throw new Error(`not published: ${answer.text}`);
  const { slug } = answer.json.data;
  const similar = `${slug.slice(0, -4)}${randomBytes(2).toString('hex').replace(/[01]/g, '2')}`;
  const { status } = await send(publish(next, baseUrl, similar));
  return {
    observed: [`an address like ${slug} is answered ${status}`],
    gained:
      status === 201 ? ['An address of the form of temporary ones was given out by name'] : [],
  };
}

const aSlug = () => `former-${randomBytes(6).toString('hex')}`;

function publish(key: string, baseUrl: string, slug: string): Promise<Answer> {
  const fields: FormPart[] = [
    { name: 'title', body: 'Former' },
    { name: 'slug', body: slug },
  ];
  const { body, contentType } = aForm([...fields, ...site]);
  const headers = { 'content-type': contentType, authorization: `Bearer ${key}` };
  return ask(`${baseUrl}/v1/projects`, { method: 'POST', headers, body });
}

async function published(
  { former, baseUrl, send }: People,
  slug: string,
): Promise<{ projectId: string; url: string }> {
  const answer = await send(publish(former, baseUrl, slug));
  if (answer.status !== 201) throw new Error(`not published: ${answer.text}`);
  return answer.json.data;
}

function withKey(key: string, url: string, method: string, body?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return ask(url, { method, headers, ...(body !== undefined && { body }) });
}
