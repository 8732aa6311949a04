import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { CommandError } from '../command-line.ts';
import { Difference, expectJson, expectStatus, Skipped } from './expectations.ts';
import { formOf, sendRequest, type SmokeRequest, type SmokeResponse } from './http-client.ts';

type Files = Readonly<Record<string, Uint8Array | string>>;

/** A project that a check published. */
export interface SmokeProject {
  projectId: string;
  /** Without a slash at its end. */
  url: string;
}

/** The service under test, and what the checks publish there. */
export type SmokeService = ReturnType<typeof smokeService>;

export interface SmokeServiceOptions {
  baseUrl: string;
  apiKey: string | undefined;
  /** How long a change may take to reach the edge. */
  waitMs: number;
}

const Published = z.object({ data: z.object({ projectId: z.string(), url: z.string() }) });
const pollMs = 250;
const pause = async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function smokeService({ baseUrl, apiKey, waitMs }: SmokeServiceOptions) {
  const projects = new Set<string>();
  const title = `npm run smoke ${randomUUID().slice(0, 8)}`;
  const urlOf = (target: string) => (target.startsWith('/') ? baseUrl + target : target);
  const send = (target: string, request?: SmokeRequest) => sendRequest(urlOf(target), request);
  const sendWithKey = (target: string, request: SmokeRequest = {}) =>
    sendAgainAfterLimit(() =>
      send(target, {
        ...request,
        headers: { authorization: `Bearer ${apiKey ?? ''}`, ...request.headers },
      }),
    );
  const publish = async (files: Files, fields: Readonly<Record<string, string>> = {}) => {
    const form = await formOf({ title, expiresIn: '1h', ...fields }, files);
    const answer = await sendWithKey('/v1/projects', { method: 'POST', ...form });
    const project = publishedProject(expectStatus(answer, 201));
    projects.add(project.projectId);
    return project;
  };
  return {
    baseUrl,
    /** The title of what this run publishes. */
    title,
    /** Sends a request without a credential. A path leads to the app. */
    send,
    /** Sends a request with the key, again if the plan's limit of requests was reached. */
    sendWithKey,
    /** Publishes with the key. {@link SmokeService.cleanUp} deletes the project. */
    publish,
    /** Publishes with the key if there is one, else as a temporary project that ends by itself. */
    async publishAnywhere(files: Files) {
      if (apiKey !== undefined) return (await publish(files)).url;
      const form = await formOf({}, files);
      const answer = await send('/v1/projects/temp', { method: 'POST', ...form });
      if (answer.status === 429) throw new Skipped(tooManyTemporary(answer));
      return publishedProject(expectStatus(answer, 200)).url;
    },
    /** Remembers a project that was published otherwise, for {@link SmokeService.cleanUp}. */
    remember: (projectId: string) => void projects.add(projectId),
    /** Returns when `work` no longer throws a Difference; after the time given for changes, throws its last one. */
    eventually: <T>(work: () => Promise<T>) => retryUntil(Date.now() + waitMs, work),
    async cleanUp() {
      if (apiKey === undefined) return [];
      const links = await linksWithTitle(sendWithKey, title);
      return deleteAll(sendWithKey, [
        ...links.map((id) => `/v1/upload-links/${id}`),
        ...[...projects].map((id) => `/v1/projects/${id}`),
      ]);
    },
  };
}

/** Only a Difference is a reason to try again. */
async function retryUntil<T>(untilMs: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Difference) || Date.now() >= untilMs) throw error;
      await pause(pollMs);
    }
  }
}

function publishedProject(answer: SmokeResponse): SmokeProject {
  const { projectId, url } = expectJson(answer, Published).data;
  return { projectId, url: url.replace(/\/$/, '') };
}

function tooManyTemporary({ headers }: SmokeResponse): string {
  const wait = headers['retry-after'];
  return `no temporary project can be published from this address for ${String(wait)} seconds; give --api-key`;
}

const limitTurns = 3;

/** The plan limits the requests of a minute, which a smoke test may reach. */
async function sendAgainAfterLimit(send: () => Promise<SmokeResponse>): Promise<SmokeResponse> {
  for (let turn = 1; ; turn += 1) {
    const answer = await send();
    const seconds = Number(answer.headers['retry-after']);
    if (answer.status !== 429 || turn === limitTurns || !(seconds <= 60)) return answer;
    await pause(seconds * 1000);
  }
}

type Send = SmokeService['sendWithKey'];

/** @returns the paths that could not be deleted */
async function deleteAll(send: Send, paths: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    paths.map((path) => send(path, { method: 'DELETE' }).catch(() => undefined)),
  );
  return paths.filter((_, index) => ![200, 404].includes(answers[index]?.status ?? 0));
}

const Links = z.object({
  data: z.object({
    uploadLinks: z.array(z.object({ id: z.string(), title: z.string().nullable() })),
  }),
});

/** Links that no upload has used. */
async function linksWithTitle(send: Send, title: string): Promise<string[]> {
  const answer = await send('/v1/upload-links').catch(() => undefined);
  if (answer?.status !== 200) return [];
  const { uploadLinks } = expectJson(answer, Links).data;
  return uploadLinks.filter((link) => link.title === title).map(({ id }) => id);
}

const User = z.object({ data: z.object({ plan: z.object({ tier: z.string() }) }) });

/**
 * The plan of the key's account.
 * @throws CommandError if the service does not answer or refuses the key
 */
export async function planOfKey(service: SmokeService): Promise<string> {
  const answer = await service.sendWithKey('/v1/user');
  if (answer.status !== 200) {
    throw new CommandError(
      `${service.baseUrl} refuses the key with HTTP ${answer.status}. Sign in again to get another one.`,
    );
  }
  return expectJson(answer, User).data.plan.tier;
}
