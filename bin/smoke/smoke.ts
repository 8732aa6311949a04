import { terminal } from '../command-line.ts';
import { runSmoke } from './run-smoke.ts';

process.exitCode = await runSmoke(process.argv.slice(2), process.env, terminal);
