import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { movableClock } from '../../time/clock.ts';
import { type S3Call, type S3Server, startS3 } from '../../s3/s3-server.ts';

/** The one caller that the local S3 of the tests knows. */
export const CREDENTIALS = { accessKeyId: 'AKIDLOCAL', secretAccessKey: 'local-secret' };

/** A local S3 on a free port with its own directory, and a client with the SDK's defaults. */
export async function localS3(
  options: { dataDir?: string; authorize?: (call: S3Call) => boolean } = {},
) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'slipway-s3-')));
  const clock = movableClock();
  const calls: S3Call[] = [];
  const server: S3Server = await startS3({
    dataDir,
    clock,
    secretFor: (id) => (id === CREDENTIALS.accessKeyId ? CREDENTIALS.secretAccessKey : undefined),
    authorize: options.authorize ?? (() => true),
    onCall: (call) => calls.push(call),
  });
  const client = clientFor(server.url);
  const stop = async () => {
    client.destroy();
    await server.close();
  };
  return {
    dataDir,
    clock,
    calls,
    server,
    client,
    /** Stops it and keeps the directory. */
    stop,
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** A client for a local S3, with the SDK's defaults except for the given configuration. */
export function clientFor(url: string, config: S3ClientConfig = {}): S3Client {
  return new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: CREDENTIALS,
    maxAttempts: 1,
    ...config,
  });
}
