import { startS3 } from '../../s3/s3-server.ts';
import { CREDENTIALS } from './s3-local.ts';

/** A local S3 in a process of its own, to be killed: prints its address once it listens. */
const server = await startS3({
  dataDir: process.argv[2] ?? '',
  clock: { now: () => new Date(), offsetMs: 0 },
  secretFor: () => CREDENTIALS.secretAccessKey,
  authorize: () => true,
});
await server.createBucket('bucket');
process.stdout.write(`${server.url}\n`);
