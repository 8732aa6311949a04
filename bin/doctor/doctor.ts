import { terminal } from '../command-line.ts';
import { runDoctor } from './run-doctor.ts';

process.exitCode = await runDoctor(process.argv.slice(2), process.env, terminal);
