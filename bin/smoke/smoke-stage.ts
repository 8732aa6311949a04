import * as z from 'zod';
import { expectJson, expectStatus } from './expectations.ts';
import { jsonBody } from './http-client.ts';
import type { SmokeProject, SmokeService } from './smoke-service.ts';

/** The service under test, with sites that several checks use. Each is published when the first check needs it. */
export interface SmokeStage extends SmokeService {
  /** A public site with {@link siteFiles}. */
  site(): Promise<string>;
  /** A site behind {@link password}. */
  lockedSite(): Promise<SmokeProject>;
  /** A site whose only file, `film.mp4`, is too large for a response of a function. */
  largeSite(): Promise<string>;
}

/** The files of the public site. */
export const siteFiles = {
  'index.html': '<!doctype html><title>Smoke test</title><h1>Smoke test</h1>',
  'style.css': 'body{color:#123456}',
  'a b.txt': 'a space',
  'a+b.txt': 'a plus sign',
};

export const password = 'a long smoke test password';

/** Over the 4 MiB that a function sends itself. */
export const largeBytes = 4 * 1024 * 1024 + 100;

export function smokeStage(service: SmokeService): SmokeStage {
  return {
    ...service,
    site: lazy(() => service.publishAnywhere(siteFiles)),
    lockedSite: lazy(() => service.publish(siteFiles, { access: 'password', password })),
    largeSite: lazy(() => publishLarge(service)),
  };
}

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function publishLarge(service: SmokeService): Promise<string> {
  const { uploadId, urls } = await beginUpload(service, { 'film.mp4': largeBytes });
  const [url = ''] = urls;
  const body = Buffer.alloc(largeBytes, 'Slipway ');
  expectStatus(await service.send(url, { method: 'PUT', body }), 200);
  return (await publishUpload(service, uploadId)).url;
}

const Begun = z.object({
  data: z.object({ uploadId: z.string(), parts: z.array(z.object({ url: z.string() })) }),
});

/** Announces files by their sizes. */
export async function beginUpload(
  service: SmokeService,
  sizes: Readonly<Record<string, number>>,
): Promise<{ uploadId: string; urls: string[] }> {
  const files = Object.entries(sizes).map(([path, size]) => ({ path, size }));
  const answer = await service.sendWithKey('/v1/uploads', jsonBody({ files }));
  const { uploadId, parts } = expectJson(expectStatus(answer, 201), Begun).data;
  return { uploadId, urls: parts.map(({ url }) => url) };
}

const Created = z.object({ data: z.object({ projectId: z.string(), url: z.string() }) });

export async function publishUpload(
  service: SmokeService,
  uploadId: string,
): Promise<SmokeProject> {
  const request = jsonBody({ title: service.title, expiresIn: '1h', uploadId });
  const answer = await service.sendWithKey('/v1/projects', request);
  const { projectId, url } = expectJson(expectStatus(answer, 201), Created).data;
  service.remember(projectId);
  return { projectId, url: url.replace(/\/$/, '') };
}
